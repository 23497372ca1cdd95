/** The letters of each script as terms have them: lower case, without accents. */
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшщъыьэюяєіђјљњћџ',
  'αβγδεζηθικλμνξοπρστυφχψως',
  'אבגדהוזחטיכלמנסעפצקרשתךםןףץ',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءئؤپچژگکی',
  'अआइईउऊऋएऐओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहािीुूृेैोौ्ंँः',
].map((letters) => Array.from(letters, (letter) => letter.codePointAt(0)!))

const alphabetByLetter = new Map(ALPHABETS.flatMap((letters) => letters.map((letter) => [letter, letters])))

/** The letters of the script of a letter, as code points; undefined for a script without an alphabet here. */
export const alphabetOf = (letter: number): readonly number[] | undefined => alphabetByLetter.get(letter)
