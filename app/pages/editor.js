// The editor of lectures: CodeMirror with Python and nothing that a lecture does not need, in the colours of the page.
// The page loads it when somebody edits; its import map says where the packages are, which are CodeMirror 6: MIT licence,
// © Marijn Haverbeke and others.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting,
} from '@codemirror/language';
import { python } from '@codemirror/legacy-modes';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Annotation } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--series-3)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--series-2)' },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.definition(tags.variableName), tags.definition(tags.className)], fontWeight: '600' },
  { tag: tags.meta, color: 'var(--series-5)' },
  { tag: tags.invalid, color: 'var(--warn)' },
]);

const face = EditorView.theme({
  '&': {
    border: '1px solid var(--control-line)',
    borderRadius: 'var(--radius)',
    background: 'var(--sheet)',
    color: 'var(--ink)',
    fontSize: 'var(--ui)',
  },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-content ::selection, .cm-content::selection': { background: 'var(--mark)' },
  '.cm-gutters': { border: '0', background: 'var(--sheet)', color: 'var(--ink-soft)' },
  '.cm-activeLine': { background: 'var(--well)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-tooltip, .cm-panels': { borderColor: 'var(--line)', background: 'var(--sheet)', color: 'var(--ink)' },
  '.cm-diagnostic-error': { borderColor: 'var(--warn)', fontFamily: 'var(--sans)' },
  '.cm-lintRange-error': { background: 'none', textDecoration: 'underline wavy var(--warn)' },
});

/** Marks a change that the page makes: the reader did not. */
const byPage = Annotation.define();

/**
 * Puts an editor with `text` into `element`.
 *
 * `label` is its name for screen readers. `onChange(text)` hears what the reader changes, `onRun(text)` Shift-Enter,
 * `onLeave()` Escape. Tab indents; Escape and then Tab goes on to what follows the editor.
 *
 * Returns `text()`, `setText(text)`, which `onChange` does not hear of, `mark(line, message)`, which underlines a line
 * (from 1 on), brings it into sight and says why, `clear()`, which takes the mark away, `focus()` and `destroy()`.
 */
export function mount(element, text, { label, onChange, onRun, onLeave }) {
  const run = ({ state }) => {
    onRun(state.doc.toString());
    return true;
  };
  const leave = () => {
    onLeave?.();
    return onLeave !== undefined;
  };
  const extensions = [
    lineNumbers(),
    lintGutter(),
    history(),
    highlightActiveLine(),
    bracketMatching(),
    indentOnInput(),
    indentUnit.of('    '),
    StreamLanguage.define(python),
    syntaxHighlighting(colours),
    face,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
    EditorView.updateListener.of(({ docChanged, transactions, state }) => {
      const isReader = transactions.some((change) => change.docChanged && !change.annotation(byPage));
      if (docChanged && isReader) onChange(state.doc.toString());
    }),
    keymap.of([
      { key: 'Shift-Enter', run },
      ...defaultKeymap,
      ...historyKeymap,
      ...lintKeymap,
      indentWithTab,
      // After what else Escape ends: a selection of several places, the list of faults.
      { key: 'Escape', run: leave },
    ]),
  ];
  const view = new EditorView({ doc: text, extensions, parent: element });
  const lineAt = (number) => view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  const diagnose = (found) => view.dispatch(setDiagnostics(view.state, found));
  let marked = null;
  /** Scrolls to a position of the text, if it is out of sight; the page around stays where it is. */
  const show = (position) => {
    const { top, bottom } = view.lineBlockAt(position);
    const { scrollTop, clientHeight } = view.scrollDOM;
    if (top < scrollTop || bottom > scrollTop + clientHeight) view.scrollDOM.scrollTop = top - clientHeight / 2;
  };
  return {
    text: () => view.state.doc.toString(),
    setText(now) {
      const changes = { from: 0, to: view.state.doc.length, insert: now };
      view.dispatch({ changes, annotations: byPage.of(true) });
    },
    mark(line, message) {
      const { from, to, text: words } = lineAt(line);
      const indent = words.length - words.trimStart().length;
      diagnose([{ from: indent < words.length ? from + indent : from, to, severity: 'error', message }]);
      // The page marks again whenever it draws: the reader may have gone on since.
      const now = `${line} ${message}`;
      if (marked !== now) show(from);
      marked = now;
    },
    clear() {
      marked = null;
      diagnose([]);
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
