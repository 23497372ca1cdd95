import type { TextSplitter } from '../contract/splitter.ts'
import { SeparatorAlgorithm, type SeparatorRules } from './separator-algorithm.ts'
import { StreamedText } from './streamed-text.ts'
import { StreamingCutter } from './streaming-cutter.ts'

/** A splitter that cuts at separators. The pieces of `split` are slices and keep the text in memory. */
export function separatorSplitter(id: string, rules: SeparatorRules): TextSplitter {
  return {
    id,
    split: (text) => new SeparatorAlgorithm(new StreamedText(text), rules).cut(),
    open: () => openSeparatorCutter(rules),
  }
}

/** A cutter for a text that arrives in parts. @param round units that are processed at once */
export function openSeparatorCutter(rules: SeparatorRules, round?: number): StreamingCutter {
  return new StreamingCutter((text) => new SeparatorAlgorithm(text, rules), round)
}
