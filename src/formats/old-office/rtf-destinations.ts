/** Groups whose text is not text of the document. */
export const SKIPPED: ReadonlySet<string> = new Set(
  (
    'colortbl filetbl revtbl rsidtbl listtable listoverridetable generator xmlnstbl themedata colorschememapping ' +
    'datastore latentstyles fldinst nonshppict xe tc tcn rxe txe bkmkstart bkmkend ftnsep ftnsepc ftncn aftnsep ' +
    'aftnsepc aftncn datafield private template atrfstart atrfend atnid atnref atndate atntime atnicn atnparent panose falt ' +
    'fontemb sp shprslt nonesttables background objclass objname objdata objalias objsect picprop blipuid ' +
    'mmathPr pgdsctbl pgptbl formfield ffdata docvar userprops operator company manager category keywords comment ' +
    'doccomm hlinkbase subject printim buptim pnseclvl'
  ).split(' '),
)

/** Destinations that programs may not know (`\*`) and that are read here. */
export const READ_IF_STARRED: ReadonlySet<string> = new Set(
  'shpinst shppict annotation nesttableprops ud atnauthor moMath moMathPara do footnote'.split(' '),
)

/** Destinations with a text of their own: notes, comments, headers, footers, text boxes. */
export const STORIES: ReadonlySet<string> = new Set(
  'footnote annotation header headerl headerr headerf footer footerl footerr footerf shptxt dptxbxtext'.split(
    ' ',
  ),
)

/** Destinations that are a short text. */
export const CAPTURED: ReadonlySet<string> = new Set('listtext pntext atnauthor title author'.split(' '))

/** Control words for characters. */
export const CHARACTERS: Readonly<Record<string, string | undefined>> = {
  bullet: '\u2022',
  column: '\n',
  emdash: '\u2014',
  emspace: ' ',
  endash: '\u2013',
  enspace: ' ',
  ldblquote: '\u201c',
  line: '\n',
  lquote: '\u2018',
  ltrmark: '',
  page: '\n',
  qmspace: ' ',
  rdblquote: '\u201d',
  rquote: '\u2019',
  tab: '\t',
  zwj: '\u200d',
  zwnj: '\u200c',
}

/** Control symbols for characters; `\-` is a place where a word may be divided. */
export const SYMBOLS: Readonly<Record<string, string | undefined>> = {
  '~': '\u00a0',
  _: '\u2011',
  '\\': '\\',
  '{': '{',
  '}': '}',
}
