/** What is done with an input of an open form, which is found by its path: `value` is a text, the name of a choice, `true` or `false`, or the label of a list. */
export type FieldChange = {
  path: string
  kind: 'text' | 'code' | 'choice' | 'switch' | 'row'
  value: string
}
