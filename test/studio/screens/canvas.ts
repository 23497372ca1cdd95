import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const nodes = (tab: Page) => tab.locator('.react-flow__node').first().waitFor()

export const canvasScreens: Screen[] = [
  {
    name: 'canvas',
    state: 'empty',
    path: '/flows/blank',
    bySize: true,
    shown: (tab) => tab.getByRole('heading', { name: 'An empty canvas' }).waitFor(),
  },
  { name: 'canvas', state: 'full', path: '/flows/quickstart', bySize: true, shown: nodes },
  {
    name: 'canvas',
    state: 'error',
    path: '/flows/no-such-flow',
    shown: (tab) => tab.getByText('no-such-flow').waitFor(),
  },
  {
    name: 'inputs of a node',
    state: 'full',
    path: '/flows/quickstart',
    bySize: true,
    async shown(tab) {
      await tab.locator('.react-flow__node[aria-label="Built-in Vector Store"]').click()
      await tab.getByText('Additional parameters').click()
    },
  },
  {
    name: 'canvas with a draft',
    state: 'full',
    path: '/flows/drafted',
    bySize: true,
    shown: (tab) => tab.getByRole('button', { name: 'Publish and load again' }).waitFor(),
  },
  {
    name: 'outline and problems',
    state: 'full',
    path: '/flows/quickstart',
    bySize: true,
    async shown(tab) {
      await nodes(tab)
      await tab.keyboard.press('o')
      await tab
        .getByRole('navigation', { name: 'Outline' })
        .getByText('The server finds no problem')
        .waitFor()
    },
  },
  {
    name: 'flow as text',
    state: 'full',
    path: '/flows/quickstart',
    bySize: true,
    async shown(tab) {
      await nodes(tab)
      // By the mouse: with the key the editor has the focus, which is the last stop of the page.
      await tab.getByRole('button', { name: 'Flow as text' }).click()
      await tab.getByText('node: builtInVectorStore').waitFor()
    },
  },
  {
    name: 'flow as text',
    state: 'error',
    path: '/flows/quickstart',
    async shown(tab) {
      await nodes(tab)
      await tab.keyboard.press('Alt+t')
      await tab.getByText('node: builtInVectorStore').click()
      await tab.keyboard.press('End')
      await tab.keyboard.type('X')
      await tab.getByText('1 mistake in the text').waitFor()
      // The line that was chosen has brought its node into sight, and others out of it.
      await tab.getByRole('button', { name: 'Fit View' }).click()
    },
  },
  {
    name: 'a run on the drawing',
    state: 'full',
    path: '/flows/quickstart',
    bySize: true,
    async shown(tab) {
      await nodes(tab)
      await tab.getByRole('button', { name: 'This run' }).click()
      const panel = tab.getByRole('region', { name: 'This run' })
      const choose = panel.getByRole('combobox', { name: 'Run' })
      const upsert = choose.getByRole('option', { name: /^Upsert/ }).first()
      await upsert.waitFor({ state: 'attached' })
      await choose.selectOption((await upsert.getAttribute('value'))!)
      await panel.locator('summary').first().click()
      await panel.locator('details[open]').waitFor()
    },
  },
  {
    name: 'a run on the drawing',
    state: 'error',
    path: '/flows/quickstart?run=gone',
    shown: (tab) => tab.getByText('There is no record of a run gone').waitFor(),
  },
  {
    name: 'connections that fit',
    state: 'full',
    path: '/flows/quickstart',
    async shown(tab) {
      await tab.locator('.react-flow__node[aria-label="Built-in Vector Store"]').click()
      await tab.keyboard.press('c')
      await tab.getByRole('dialog').getByRole('heading', { name: 'Does not fit' }).waitFor()
    },
  },
]
