//! Data as what its names and shapes say that it is.

use std::fmt::Display;

use napkin_notebook::trace::Json;
use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer, StringDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::Fault;

/// Makes data what is asked for.
pub(super) fn from_data<T: DeserializeOwned>(json: Json) -> Result<T, Fault> {
    T::deserialize(Data(json))
}

impl Error for Fault {
    fn custom<T: Display>(why: T) -> Self {
        Self::Other(why.to_string())
    }

    // What is there instead is left out: to say it would take all that writes numbers.
    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        other(expected)
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }
}

#[cold]
fn other(expected: &dyn Expected) -> Fault {
    Fault::Other(format!("there should be {expected}"))
}

/// Each type is read from the one kind that it is written as: whatever is left to `deserialize_any` brings code for all.
struct Data(Json);

impl IntoDeserializer<'_, Fault> for Data {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

type Entries = std::vec::IntoIter<(String, Data)>;

fn entries(json: Vec<(String, Json)>) -> MapDeserializer<'static, Entries, Fault> {
    let entries: Vec<_> = json.into_iter().map(|(name, json)| (name, Data(json))).collect();
    MapDeserializer::new(entries.into_iter())
}

impl<'de> Deserializer<'de> for Data {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(value),
            Json::Int(value) => visitor.visit_i64(value),
            Json::Float(value) => visitor.visit_f64(value),
            Json::Text(text) => visitor.visit_string(text),
            Json::List(items) => {
                let items: Vec<_> = items.into_iter().map(Data).collect();
                let mut list = SeqDeserializer::new(items.into_iter());
                let value = visitor.visit_seq(&mut list)?;
                list.end().map(|()| value)
            }
            Json::Object(map) => visitor.visit_map(entries(map.0)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }

    /// A list is no object, though derived code would take it for one: it would be written twice.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Json::Object(map) => visitor.visit_map(entries(map.0)),
            _ => Err(other(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Json::List(items) = self.0 else { return Err(other(&visitor)) };
        let items: Vec<_> = items.into_iter().map(Data).collect();
        let mut list = SeqDeserializer::new(items.into_iter());
        let value = visitor.visit_seq(&mut list)?;
        list.end().map(|()| value)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Json::Text(text) => visitor.visit_string(text),
            _ => Err(other(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_string(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_string(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Json::Bool(value) => visitor.visit_bool(value),
            _ => Err(other(&visitor)),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Json::Int(value) => visitor.visit_i64(value),
            _ => Err(other(&visitor)),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_i64(visitor)
    }

    /// Whole numbers from 2^63 on are doubles in [`Json`].
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Json::Float(value) if value >= i64::MAX as f64 && value < u64::MAX as f64 => {
                visitor.visit_u64(value as u64)
            }
            _ => self.deserialize_i64(visitor),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Json::Int(value) => visitor.visit_i64(value),
            Json::Float(value) => visitor.visit_f64(value),
            _ => Err(other(&visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Json::Text(name) => visitor.visit_enum(StringDeserializer::new(name)),
            Json::Object(map) => visitor.visit_enum(MapAccessDeserializer::new(entries(map.0))),
            _ => Err(other(&visitor)),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct ignored_any
    }
}
