/** The letters of each script as terms have them: lower case, without accents. */
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшщъыьэюяєіђјљњћџ',
  'αβγδεζηθικλμνξοπρστυφχψως',
  'אבגדהוזחטיכלמנסעפצקרשתךםןףץ',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءئؤپچژگکی',
  'अआइईउऊऋएऐओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहािीुूृेैोौ्ंँः',
].map((letters) => new Set(Array.from(letters, (letter) => letter.codePointAt(0)!)))

const alphabetByLetter = new Map(
  ALPHABETS.flatMap((letters) => Array.from(letters, (letter) => [letter, letters] as const)),
)

/**
 * The letters of the script that most letters of a word are of, as code points; undefined for a script without an alphabet
 * here. Of two scripts with as many letters that of the first letter.
 */
export function alphabetOf(word: readonly number[]): ReadonlySet<number> | undefined {
  const first = alphabetByLetter.get(word[0]!)
  const held = (alphabet: ReadonlySet<number> | undefined) =>
    word.filter((letter) => alphabet?.has(letter)).length
  if (first && held(first) * 2 >= word.length) return first
  const others = new Set(word.map((letter) => alphabetByLetter.get(letter)))
  return [...others].reduce((most, other) => (held(other) > held(most) ? other : most), first)
}
