const FINER = ['\n\n', '\n', ' ', '']

/**
 * Separators before lines that begin with one of these words (separated by spaces), then blank lines, lines, words,
 * anywhere.
 */
const before = (words: string): string[] => [...words.split(' ').map((word) => `\n${word} `), ...FINER]

/**
 * The separators of each language, coarse to fine. Sixteen lists are those of @langchain/textsplitters 1.0.2 (MIT),
 * so that the chunks are equal; the other nine are our own, in the same style.
 */
export const LANGUAGE_SEPARATORS = {
  c: before('struct union enum typedef static void int char float double if for while switch case'),
  // Free form, and fixed form, where the first seven columns are reserved.
  cobol: [
    ...['IDENTIFICATION DIVISION', 'ENVIRONMENT DIVISION', 'DATA DIVISION', 'PROCEDURE DIVISION'],
    ...['FILE SECTION', 'WORKING-STORAGE SECTION', 'LINKAGE SECTION', '01 ', 'PERFORM ', 'EVALUATE ', 'IF '],
  ]
    .flatMap((beginning) => [`\n       ${beginning}`, `\n${beginning}`])
    .concat(FINER),
  cpp: before('class void int float double if for while switch case'),
  csharp: before(
    'namespace class interface struct record enum delegate public protected internal private static if for foreach while switch case',
  ),
  elixir: before('defmodule defprotocol defimpl defstruct def defp defmacro @doc if unless case cond with'),
  go: before('func var const type if for switch case'),
  haskell: before('module import class instance data newtype type where let in do case if'),
  html: [
    ...['body', 'div', 'p', 'br', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'span', 'table', 'tr', 'td'],
    ...['th', 'ul', 'ol', 'header', 'footer', 'nav', 'head', 'style', 'script', 'meta', 'title'],
  ]
    .map((tag) => `<${tag}>`)
    .concat(' ', ''),
  java: before('class public protected private static if for while switch case'),
  js: before('function const let var class if for while switch case default'),
  kotlin: before('class interface object fun val var public protected internal private if for while when'),
  latex: [
    ...['chapter', 'section', 'subsection', 'subsubsection'].map((heading) => `\n\\${heading}{`),
    ...'enumerate itemize description list quote quotation verse verbatim align'
      .split(' ')
      .map((environment) => `\n\\begin{${environment}}`),
    '$$',
    '$',
    ...FINER,
  ],
  lua: before('function local if for while repeat return'),
  markdown: [
    ...['##', '###', '####', '#####', '######'].map((heading) => `\n${heading} `),
    '```\n\n',
    ...['***', '---', '___'].map((rule) => `\n\n${rule}\n\n`),
    ...FINER,
  ],
  php: before('function class if foreach while do switch case'),
  powershell: before('function filter workflow class enum param if foreach for while do switch try'),
  proto: before('message service enum option import syntax'),
  python: ['\nclass ', '\ndef ', '\n\tdef ', ...FINER],
  rst: ['\n===\n', '\n---\n', '\n***\n', '\n.. ', ...FINER],
  ruby: before('def class if unless while for do begin rescue'),
  rust: before('fn const let if while for loop match const'),
  scala: before('class object def val var if for while match case'),
  sol: [
    ...'pragma using contract interface library constructor type function event modifier error struct enum if for while'
      .split(' ')
      .concat('do while', 'assembly')
      .map((word) => `\n${word} `),
    ...FINER,
  ],
  swift: before('func class struct enum if for while do switch case'),
  ts: before(
    'export declare namespace enum interface type abstract class async function const let var if for while switch case default',
  ),
} as const satisfies Record<string, readonly string[]>

export type CodeLanguage = keyof typeof LANGUAGE_SEPARATORS
