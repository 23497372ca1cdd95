import type { LimitedStep } from '../../contract/expected.ts'
import type { ExpectedOutcome } from './find-expected.ts'
import type { Measured, SmallestChange } from './outcome.ts'

/** What became of an expected chunk, in one sentence; and what would show it, in another. */
export function expectedSentence(outcome: ExpectedOutcome): string {
  return `${whatHappened(outcome)}.`
}

/** What shows it, or that nothing was found that does. Undefined where nothing is to be changed. */
export function changeSentence({ step, change, tries }: ExpectedOutcome): string | undefined {
  if (change) return `It is hit ${change.place} with ${settingText(change)}.`
  if (step === null || step === 'notStored' || step === 'untold') return undefined
  if (step === 'conversation') return 'It is found with the chatId of its conversation.'
  if (tries === 0) return 'No setting of the request shows it.'
  return `No change of one setting was found that shows it (${tries} ${tries === 1 ? 'try' : 'tries'}).`
}

function whatHappened(outcome: ExpectedOutcome): string {
  const { step, place, reads, like, fields = [], measured, isUnsettled } = outcome
  const of = (what: Measured['what']) => measured.find((one) => one.what === what)
  switch (step) {
    case null:
      return `It is hit ${place}`
    case 'notStored':
      return 'No chunk with this name is stored, or none that this query may find'
    case 'untold':
      return isUnsettled
        ? 'The documents changed while this was found out: ask again'
        : 'The store has not found it, and cannot tell why: another program stores what it searches'
    case 'conversation':
      return 'It belongs to another conversation'
    case 'filter':
      return `The filter leaves it out${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`
    case 'threshold':
      return `Its vector score ${numberText(of('vector')!.had)} is below minScore ${numberText(of('vector')!.needed)}`
    case 'noSide':
      return `Neither search gave it${sidesText(of('vector'), of('keyword'))}`
    case 'pool':
      return poolText(reads!, measured)
    case 'rescoring':
      return `Rescoring moved it from place ${of('combinedPlace')!.had} to ${of('rescoredPlace')!.had}, below the first ${of('rescoredPlace')!.needed}`
    case 'nearDuplicate':
      return `It is nearly the same as ${like!.place === null ? `chunk ${like!.id}` : `hit ${like!.place}`}: likeness ${numberText(like!.cosine)}, allowed is less than ${numberText(of('likeness')!.needed)}`
    case 'reranker': {
      const [before, after] = [of('rescoredPlace') ?? of('combinedPlace'), of('rerankedPlace')]
      return after?.had == null
        ? 'The reranker left it out'
        : `The reranker moved it from place ${before!.had} to ${after.had}, below the first ${after.needed}`
    }
    case 'mmr':
      return `MMR preferred chunks that differ more: its likeness to ${like!.place === null ? 'another hit' : `hit ${like!.place}`} is ${numberText(like!.cosine)}`
    case 'topK': {
      const last = of('place') ?? of('rerankedPlace')!
      return `It is at place ${last.had}, below the first ${last.needed}`
    }
  }
}

const READERS: Readonly<Record<LimitedStep, string>> = {
  rescoring: 'Only the first $ are rescored',
  reranker: 'The reranker reads only the first $',
  mmr: 'MMR chooses from the first $ only',
}

const poolText = ({ step, most }: NonNullable<ExpectedOutcome['reads']>, [first]: Measured[]): string =>
  `${READERS[step].replace('$', `${most}`)}, and it is at place ${first!.had}`

/** What each side had and needed. */
function sidesText(vector: Measured | undefined, keyword: Measured | undefined): string {
  const side = (name: string, { had, needed }: Measured) =>
    had === null
      ? `${name} none`
      : `${name} ${numberText(had)}${needed === null ? '' : `, the last that was given has ${numberText(needed)}`}`
  const texts = [
    ...(vector ? [side('its vector score is', vector)] : []),
    ...(keyword ? [side('its keyword score is', keyword)] : []),
  ]
  return texts.length > 0 ? `: ${texts.join('; ')}` : ''
}

const numberText = (number: number | null): string =>
  number === null ? 'none' : String(Number(number.toFixed(4)))

function settingText({ setting, from, to }: SmallestChange): string {
  if (setting === 'filter') return from === null ? 'no filter' : `no condition on ${from}`
  const was = from === null ? '' : ` instead of ${from === true ? 'on' : from}`
  return `${setting} ${to === false ? 'off' : to}${was}`
}
