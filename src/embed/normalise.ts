/** Latin, Greek and Cyrillic accents; Hebrew points; Arabic tatweel and vowel signs. */
const DROPPED = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/g

/** The form in which texts are compared with the vocabulary: lower case, compatibility forms resolved, no accents. */
export function normaliseText(text: string): string {
  return isAscii(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').toLowerCase().replace(DROPPED, '').normalize('NFC')
}

export function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text)
}
