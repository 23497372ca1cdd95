import { closeByEscape, type Step, tabTo } from './step.ts'
import { SAMPLES } from './tour-world.ts'

/** The canvas, its text, an upsert, the API and the list of flows. */
export const canvasSteps: Step[] = [
  {
    name: 'canvas',
    path: '/flows/quickstart',
    async go(hand) {
      await hand.open('Built-in Vector Store')
      await hand.press(hand.tab.getByText('Additional parameters'))
    },
  },
  {
    name: 'text',
    async go(hand) {
      const { tab } = hand
      const editor = tab.locator('[aria-label="Flow as text"].cm-content')
      if (hand.keys) {
        await tab.keyboard.press('Alt+t')
        await editor.and(tab.locator(':focus')).waitFor()
        await tab.keyboard.press('Control+Home')
        const lines = (await editor.locator('.cm-line').allTextContents()).findIndex((line) =>
          line.includes('node: sluiceTextSplitter'),
        )
        for (let line = 0; line < lines; line++) await tab.keyboard.press('ArrowDown')
      } else {
        await tab.getByRole('button', { name: 'Flow as text' }).click()
        await tab.getByText('node: sluiceTextSplitter').click()
      }
      await tab.keyboard.press('End')
      await tab.keyboard.type('\ninputs:\n  chunkSize: 600')
      await tab.getByRole('button', { name: 'Undo: edit the text' }).waitFor()
    },
    async end(hand) {
      const { tab } = hand
      await tab.keyboard.press('Control+z')
      await tab.getByRole('button', { name: 'Undo', exact: true }).waitFor()
      await closeByEscape(
        hand,
        tab.getByRole('complementary', { name: 'Flow as text' }),
        tab.getByRole('button', { name: 'Flow as text' }),
      )
    },
  },
  {
    name: 'upsert',
    async go(hand) {
      const { tab } = hand
      await hand.press(tab.getByRole('button', { name: /^Upsert/ }))
      const dialog = tab.getByRole('dialog', { name: /Upsert/ })
      await dialog.locator('input[type=file]').setInputFiles([
        ...SAMPLES.slice(0, 3).map(([name, buffer]) => ({ name, mimeType: '', buffer })),
        {
          name: 'ferry.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from('The ferry to Bergen leaves at noon.'),
        },
      ])
      await hand.press(dialog.getByRole('button', { name: /^Upsert \d/ }))
      await dialog.getByRole('heading', { name: 'Upsert Record' }).waitFor()
    },
    end: (hand) =>
      closeByEscape(
        hand,
        hand.tab.getByRole('dialog', { name: /Upsert/ }),
        hand.tab.getByRole('button', { name: /^Upsert/ }),
      ),
  },
  {
    name: 'api',
    path: '/flows/quickstart/api?request=query',
    async go(hand) {
      const { tab } = hand
      await hand.write(tab.getByRole('textbox', { name: 'Query', exact: true }), 'code word for a fire')
      await hand.press(tab.getByRole('button', { name: 'Run', exact: true }))
      await tab.getByText(/^200 in \d+ ms$/).waitFor()
    },
  },
  {
    name: 'flows',
    path: '/flows',
    async go({ tab, keys }) {
      const flow = tab.getByRole('link', { name: /^Quickstart/ })
      await flow.waitFor()
      if (keys) await tabTo(flow)
    },
  },
]
