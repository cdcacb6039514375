//! A trace as long as lectures are not, and what a reader does with it.

use serde_json::{Value, json};

/// Two lines, ten thousand times.
pub fn long_trace() -> Value {
    let text = "def main():\n    x = 0  # @inspect x\n    for i in range(10_000):\n        y = i  # @inspect y\n        x += y  # @inspect x\n    print(x)\n\n\nmain()\n";
    let place = |function: &str, line: u32| json!({"path": "long.py", "line_number": line, "function_name": function, "code": ""});
    let outer = place("<module>", 9);
    let int = |number: u64| json!({"type": "int", "contents": number});
    let step =
        |line: u32, env: Value| json!({"stack": [outer, place("main", line)], "env": env, "renderings": []});
    let mut steps =
        vec![json!({"stack": [outer], "env": {}, "renderings": []}), step(2, json!({"x": int(0)}))];
    for round in 0..10_000 {
        steps.push(step(4, json!({"y": int(round)})));
        steps.push(step(5, json!({"x": int(round * (round + 1) / 2)})));
    }
    steps.push(step(6, json!({})));
    json!({"files": {"long.py": text}, "steps": steps})
}

/// Steps, goes through the rounds, changes the mode and scrolls; calls `moved()` in the frame after each.
pub const MOVES: &str = "
    const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    const frame = () => new Promise(requestAnimationFrame);
    const next = async () => moved(await frame());
    await next();
    for (let turn = 0; turn < 4; turn++) {
        press('s');
        for (let wait = 0; wait < 3; wait++) await next();
        for (let line = 0; line < 12; line++) {
            press(line < 6 ? 'l' : 'h');
            await next();
            const rounds = document.querySelector('.rounds input');
            if (rounds) {
                rounds.value = 1 + (turn * 997 + line * 101) % +rounds.max;
                rounds.dispatchEvent(new Event('input', {bubbles: true}));
                await next();
            }
        }
        press('s');
        for (let by = 0; by < 12; by++) {
            scrollBy(0, by < 6 ? 200 : -200);
            await next();
        }
    }";
