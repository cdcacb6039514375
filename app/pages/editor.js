// The editor of lectures: CodeMirror with Python and nothing that a lecture does not need, in the colours of the page.
// The page loads it when somebody edits; its import map says where the packages are, which are CodeMirror 6: MIT licence,
// © Marijn Haverbeke and others.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching, codeFolding, foldedRanges, foldEffect, HighlightStyle, indentOnInput, indentUnit, StreamLanguage,
  syntaxHighlighting, unfoldEffect,
} from '@codemirror/language';
import { python } from '@codemirror/legacy-modes';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Annotation, Compartment, StateEffect, StateField } from '@codemirror/state';
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
  '.cm-foldPlaceholder': {
    minHeight: '0',
    margin: '0.15rem 0',
    padding: '0.1rem 0.5rem',
    borderRadius: '0.3rem',
    border: '1px dashed var(--control-line)',
    background: 'var(--well)',
    color: 'var(--ink-soft)',
    font: '450 var(--small) var(--sans)',
  },
  '.cm-deletedChunk': { background: 'var(--warn-soft)' },
  '&.cm-merge-b .cm-changedLine': { background: 'var(--accent-soft)' },
  '.cm-changeGutter': { width: '3px' },
  '.cm-lintRange-error': { background: 'none', textDecoration: 'underline wavy var(--warn)' },
});

/** Marks a change that the page makes: the reader did not. */
const byPage = Annotation.define();

/** What is said of places that are folded away, as `[from, to, label]`. */
const setLabels = StateEffect.define();
const labels = StateField.define({
  create: () => [],
  update(known, { changes, effects }) {
    for (const effect of effects) if (effect.is(setLabels)) return effect.value;
    return known.map(([from, to, label]) => [changes.mapPos(from, 1), changes.mapPos(to, -1), label]);
  },
});

/**
 * Puts an editor with `text` into `element`.
 *
 * `label` is its name for screen readers. `folds` are places that are folded away at first, as `[from, to, label]`.
 * `onChange(text)` hears what the reader changes, `onRun(text)` Shift-Enter and Ctrl- or Cmd-Enter, `onLeave()` Escape. Tab
 * indents; Escape and then Tab goes on to what follows the editor.
 *
 * Returns `text()`, `setText(text, folds)`, which `onChange` does not hear of, `mark(line, message)`, which underlines a line
 * (from 1 on), brings it into sight and says why, `clear()`, which takes the mark away, `showAll(isShown)`, which opens what
 * is folded away or folds it again, `compare(other)`, which shows how the text differs from another one, `goTo(line)`,
 * `focus()` and `destroy()`.
 */
export function mount(element, text, { label, folds = [], onChange, onRun, onLeave }) {
  const run = ({ state }) => {
    onRun(state.doc.toString());
    return true;
  };
  const leave = () => {
    onLeave?.();
    return onLeave !== undefined;
  };
  const difference = new Compartment();
  const extensions = [
    difference.of([]),
    labels,
    codeFolding({
      preparePlaceholder: (state, { from }) => state.field(labels).find((it) => it[0] === from)?.[2] ?? '',
      placeholderDOM(view, onclick, words) {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'cm-foldPlaceholder';
        button.textContent = `⋯ ${words}`;
        button.setAttribute('aria-label', `${words}: show its source`);
        button.onclick = onclick;
        return button;
      },
    }),
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
      { key: 'Mod-Enter', run },
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
  const fold = (places) => view.dispatch({
    effects: [setLabels.of(places), ...places.map(([from, to]) => foldEffect.of({ from, to }))],
  });
  const unfold = () => {
    const effects = [];
    foldedRanges(view.state).between(0, view.state.doc.length, (from, to) => {
      effects.push(unfoldEffect.of({ from, to }));
    });
    view.dispatch({ effects });
  };
  fold(folds);
  let marked = null;
  /** Scrolls to a position of the text, if it is out of sight; the page around stays where it is. */
  const show = (position) => {
    const { top, bottom } = view.lineBlockAt(position);
    const { scrollTop, clientHeight } = view.scrollDOM;
    if (top < scrollTop || bottom > scrollTop + clientHeight) view.scrollDOM.scrollTop = top - clientHeight / 2;
  };
  return {
    text: () => view.state.doc.toString(),
    setText(now, places = []) {
      // What was folded would be so in a text of which it is no part.
      unfold();
      // The reader's place stays where it is: only what differs is put in.
      const before = view.state.doc.toString();
      const most = Math.min(before.length, now.length);
      let from = 0;
      while (from < most && before[from] === now[from]) from++;
      let same = 0;
      while (same < most - from && before.at(-1 - same) === now.at(-1 - same)) same++;
      const changes = { from, to: before.length - same, insert: now.slice(from, now.length - same) };
      view.dispatch({ changes, annotations: byPage.of(true) });
      fold(places);
    },
    showAll(isShown) {
      if (isShown) unfold();
      else fold(view.state.field(labels).filter(([from, to]) => from < to));
    },
    async compare(other) {
      if (other === undefined) return view.dispatch({ effects: difference.reconfigure([]) });
      const { unifiedMergeView } = await import('@codemirror/merge');
      view.dispatch({
        effects: difference.reconfigure(unifiedMergeView({ original: other, mergeControls: false })),
      });
      // It may be below the window.
      requestAnimationFrame(() => {
        const { scrollLeft } = view.scrollDOM;
        view.dom.querySelector('.cm-changedLine, .cm-deletedChunk')?.scrollIntoView({ block: 'nearest' });
        // Its line may be wider than the editor.
        view.scrollDOM.scrollLeft = scrollLeft;
      });
    },
    mark(line, message) {
      const { from, to, text: words } = lineAt(line);
      const indent = words.length - words.trimStart().length;
      diagnose([{ from: indent < words.length ? from + indent : from, to, severity: 'error', message }]);
      // The page marks again whenever it draws: the reader may have gone on since.
      const now = `${line} ${message}`;
      if (marked === now) return;
      marked = now;
      show(from);
      // What the page says of it stands below, maybe out of sight.
      requestAnimationFrame(() => {
        const said = view.dom.closest('.cell, .exercise')?.querySelector('.fault');
        if (view.dom.getBoundingClientRect().bottom < innerHeight) said?.scrollIntoView({ block: 'nearest' });
      });
    },
    clear() {
      marked = null;
      diagnose([]);
    },
    goTo(line) {
      const { from } = lineAt(line);
      view.dispatch({ selection: { anchor: from } });
      view.focus();
      show(from);
      // The editor may be far from where the reader is.
      requestAnimationFrame(() => view.dom.querySelector('.cm-activeLine')?.scrollIntoView({ block: 'nearest' }));
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
