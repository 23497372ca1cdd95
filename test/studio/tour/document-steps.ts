import { closeByEscape, type Step, tabTo } from './step.ts'
import { DRAFTED } from './tour-world.ts'

/** A document with its page, its text and its chunks, an upsert, and what a draft would change. */
export const documentSteps: Step[] = [
  {
    name: 'document',
    path: '/flows/quickstart/documents/safety-manual.pdf',
    async go(hand) {
      const { tab } = hand
      await tab.locator('[data-page="1"] canvas').waitFor()
      if (hand.keys) {
        await tabTo(tab.getByRole('slider', { name: 'Map of the text' }))
        for (let line = 0; line < 2; line++) await tab.keyboard.press('PageDown')
      } else await tab.getByRole('region', { name: 'Text', exact: true }).getByRole('button').nth(2).click()
      await tab.locator('li[data-selected=true]').first().waitFor()
      await tab.getByText('The selected chunk is marked').waitFor()
    },
  },
  {
    name: 'draft',
    path: `/flows/${DRAFTED}`,
    async go(hand) {
      const { tab } = hand
      await hand.open('Sluice Text Splitter')
      await hand.write(tab.getByLabel('Chunk Size (characters)', { exact: true }), '600')
      if (hand.keys) await tab.keyboard.press('Control+s')
      else await tab.getByRole('button', { name: 'Save', exact: true }).click()
      const bar = tab.getByRole('region', { name: 'Changed settings' })
      await bar.getByText(/is not live, and not in \d+ loaded documents yet/).waitFor()
    },
  },
  {
    name: 'changes',
    async go(hand) {
      const { tab } = hand
      await hand.press(tab.getByRole('button', { name: 'What would change' }))
      const dialog = tab.getByRole('dialog')
      await dialog.getByRole('list', { name: 'Stored now' }).getByRole('listitem').first().waitFor()
      await dialog.getByRole('list', { name: 'Chunks' }).getByRole('listitem').first().waitFor()
    },
    end: (hand) =>
      closeByEscape(
        hand,
        hand.tab.getByRole('dialog'),
        hand.tab.getByRole('button', { name: 'What would change' }),
      ),
  },
]
