import type { TextSplitter } from '../contract/splitter.ts'
import { Cascade, type CascadeRules } from './cascade.ts'
import { Scroll } from './scroll.ts'
import { ScrollCutter } from './scroll-cutter.ts'

/** A splitter that cuts at separators; the pieces of `split` are slices of the text and keep it alive. */
export function separatorSplitter(id: string, rules: CascadeRules): TextSplitter {
  return {
    id,
    split: (text) => new Cascade(new Scroll(text), rules).cut(),
    open: () => openSeparatorCutter(rules),
  }
}

/** Cuts a text that arrives in parts at separators, in rounds of so many units. */
export function openSeparatorCutter(rules: CascadeRules, round?: number): ScrollCutter {
  return new ScrollCutter((scroll) => new Cascade(scroll, rules), round)
}
