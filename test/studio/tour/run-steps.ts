import { closeByEscape, type Step } from './step.ts'
import { LOADED, WRITER } from './tour-world.ts'

/** Runs on the drawing: of an answer, step by step on one time axis, and of an upsert that goes on. */
export const runSteps: Step[] = [
  {
    name: 'run',
    path: `/flows/${WRITER}`,
    async go(hand) {
      const { tab } = hand
      await tab.getByRole('toolbar', { name: 'Canvas' }).waitFor()
      if (hand.keys) await tab.keyboard.press('r')
      else await tab.getByRole('button', { name: 'This run' }).click()
      const panel = tab.getByRole('region', { name: 'This run' })
      await hand.choose(panel.getByRole('combobox', { name: 'Run' }), /done/)
      await panel.getByText(/\d+ steps in all/).waitFor()
      await hand.press(panel.locator('summary').nth(1))
      await panel.locator('details[open]').getByText('Output to the model').waitFor()
    },
    end: (hand) =>
      closeByEscape(
        hand,
        hand.tab.getByRole('region', { name: 'This run' }),
        hand.tab.getByRole('button', { name: 'This run' }),
      ),
  },
  {
    name: 'line',
    path: `/flows/${LOADED}`,
    async go(hand) {
      const { tab } = hand
      const count = tab.getByRole('button', { name: /^\d[\d,]* vectors: / }).first()
      await count.waitFor()
      await hand.press(count)
      const items = tab.getByRole('region', { name: 'Last items of the line' })
      await items.getByRole('listitem').first().waitFor()
    },
    async end(hand) {
      const { tab } = hand
      await closeByEscape(
        hand,
        tab.getByRole('region', { name: 'Last items of the line' }),
        tab.getByRole('button', { name: /^\d[\d,]* vectors: / }).first(),
      )
    },
  },
]
