import type { TextSplitter } from '../contract/splitter.ts'
import { SeparatorAlgorithm, type SeparatorRules } from './separator-algorithm.ts'
import { StreamedText } from './streamed-text.ts'
import { StreamingCutter } from './streaming-cutter.ts'

/** A splitter that cuts at separators; the pieces of `split` are slices of the text and keep it alive. */
export function separatorSplitter(id: string, rules: SeparatorRules): TextSplitter {
  return {
    id,
    split: (text) => new SeparatorAlgorithm(new StreamedText(text), rules).cut(),
    open: () => openSeparatorCutter(rules),
  }
}

/** Cuts a text that arrives in parts at separators, in rounds of so many units. */
export function openSeparatorCutter(rules: SeparatorRules, round?: number): StreamingCutter {
  return new StreamingCutter((scroll) => new SeparatorAlgorithm(scroll, rules), round)
}
