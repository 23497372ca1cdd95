/** Elements inside a paragraph whose text is text of the paragraph: formatting, links, fields. */
export const INLINE: readonly string[] = (
  'a span ruby-base meta meta-field page-number page-count page-continuation time title subject keywords description ' +
  'author-name author-initials initial-creator chapter file-name sheet-name template-name bookmark-ref ' +
  'reference-ref note-ref sequence sequence-ref user-defined user-field-get user-field-input variable-set ' +
  'variable-get variable-input expression text-input placeholder conditional-text drop-down bibliography-mark ' +
  'creation-date creation-time modification-date modification-time print-date print-time printed-by editing-cycles ' +
  'editing-duration word-count character-count paragraph-count table-count image-count object-count sender-firstname ' +
  'sender-lastname sender-initials sender-title sender-position sender-email sender-phone-private sender-phone-work ' +
  'sender-fax sender-company sender-street sender-city sender-postal-code sender-country sender-state-or-province ' +
  'database-display database-name database-row-number table-formula'
).split(' ')

/** Shapes, which may hold text of their own. */
export const SHAPES: readonly string[] =
  'frame custom-shape rect ellipse circle line polyline polygon regular-polygon path connector caption measure g'.split(
    ' ',
  )

/** Elements of indexes; the template of each is `…-source`. */
export const ODF_INDEXES: readonly string[] =
  'table-of-content alphabetical-index illustration-index table-index object-index user-index bibliography'.split(
    ' ',
  )
