import { affixes, type Stemmer, withoutSuffix } from './suffix.ts'

/** Without accents: й is и, ё is е. Longest first. */
const ENDINGS = affixes(
  'иями ями ами ого его ому ему ыми ими иях ях ах ов ев еи ои ом ем ам ям ую юю ая яя ое ее ые ие ыи ии ых их ым им ию ия ью у ю а я о е ы и ь',
)

/** No ending of number, gender or case: Russian first, and what its neighbours share with it. */
export const stemCyrillic: Stemmer = (word, length) => withoutSuffix(word, length, ENDINGS, 3)
