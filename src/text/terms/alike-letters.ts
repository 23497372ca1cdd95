/**
 * Letters of one script that sound or look alike, in groups, as terms have them: people who know a word by ear type one for
 * the other. A letter may be in several groups. Latin letters have none: its frequent errors are of other kinds.
 */
const ALIKE = [
  // Arabic, Persian, Urdu
  'اعءأآ تطة ثسص ذزضظ حهة قغگ کكقگ یيىئ وؤ بپ جچژ دذ رزژ صض طظ عغ حخج سش فق',
  // Devanagari
  'िी ुू शषस नण बव टत ठथ डद ढध ंँ ेै ोौ इई उऊ एऐ ओऔ ऋर',
  // Hebrew
  'אעה בו חכך טת כק סש מם נן פף צץ',
  // Greek
  'ηιυε οω σς',
  // Cyrillic
  'ао еи иы шщ ьъ зс дт бп вф гк іи їі єе ґг',
].flatMap((groups) => groups.split(' ').map(codesOf))

/** Letters of different scripts that look the same, as lower-case letters: Latin, Cyrillic, Greek. */
const SAME_LOOK = [
  'aаα',
  'bв',
  'cс',
  'eе',
  'hн',
  'iіι',
  'jј',
  'kкκ',
  'mм',
  'oоο',
  'pрρ',
  'sѕ',
  'tтτ',
  'vν',
  'xхχ',
  'yу',
].map(codesOf)

const alikeByLetter = new Map<number, Set<number>>()
for (const group of ALIKE)
  for (const letter of group)
    alikeByLetter.set(letter, (alikeByLetter.get(letter) ?? new Set()).union(new Set(group)))

const NONE: ReadonlySet<number> = new Set()

/** The letters that one is often typed for, itself too; none for most. */
export const alikeLettersOf = (letter: number): ReadonlySet<number> => alikeByLetter.get(letter) ?? NONE

/** The letter of an alphabet that looks like a letter of another one, or itself. */
export const sameLookIn = (alphabet: ReadonlySet<number>, letter: number): number =>
  alphabet.has(letter)
    ? letter
    : (SAME_LOOK.find((group) => group.includes(letter))?.find((other) => alphabet.has(other)) ?? letter)

function codesOf(letters: string): number[] {
  return Array.from(letters, (letter) => letter.codePointAt(0)!)
}
