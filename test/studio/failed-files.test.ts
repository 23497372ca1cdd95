import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromiumPath, testBrowser } from '../support/browser.ts'
import { paragraphLines, writePdf } from '../support/pdf-writer.ts'
import { makePlatform } from '../support/platform.ts'
import { openStudio } from '../support/studio.ts'

const executable = chromiumPath()

if (executable === undefined) {
  test('the studio leads to failed files', (t) => {
    assert.notEqual(process.env.CI, 'true', 'no Chromium is there: tools/provide.sh installs one')
    t.skip('no Chromium is installed (tools/provide.sh)')
  })
} else {
  const platform = await makePlatform()
  const browser = await testBrowser(executable)
  const BINARY = Buffer.from([0, 159, 146, 150, 0, 1, 2, 3])
  const binary = (name: string) => ({ name, mimeType: '', buffer: BINARY })

  test('the record of an upsert begins with the reasons, and its next step is to ask', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/flows/quickstart' })
    await tab.getByRole('button', { name: 'Upsert', exact: true }).click()
    const dialog = tab.getByRole('dialog')
    await dialog
      .locator('input[type=file]')
      .setInputFiles([
        { name: 'fine.txt', mimeType: '', buffer: Buffer.from('The harbour is open.') },
        { name: 'nothing.txt', mimeType: '', buffer: Buffer.from('') },
        ...[binary('one.xyz'), binary('two.xyz')],
        { name: 'broken.pdf', mimeType: '', buffer: Buffer.from('this is no PDF') },
      ])
    await dialog.getByRole('button', { name: 'Upsert 5 files' }).click()
    const failed = dialog.getByRole('region', { name: 'Failed files' })
    await failed.getByText(/^2 files: no loader of this flow reads \.xyz/).click()
    await failed.getByText('one.xyz, two.xyz').waitFor()
    await failed.getByText(/^broken\.pdf: cannot be read/).waitFor()
    await dialog.getByText('1 file without text.').waitFor()
    const reasons = await failed.getByRole('listitem').allInnerTexts()
    assert.equal(reasons.join('\n').split('broken.pdf').length, 2, 'the name is there once')
    await dialog.getByRole('button', { name: 'Ask these documents' }).click()
    await tab.waitForURL(/\/flows\/quickstart\/ask/)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the list of flows, Jobs and History say what failed and lead to the files', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, { path: '/flows' })
    await tab
      .getByRole('row', { name: /quickstart/ })
      .getByText('3 failed')
      .click()
    await tab.waitForURL(/history\?record=.*files=failed/)
    const files = tab.getByRole('region', { name: 'Files', exact: true })
    await files.getByRole('row', { name: /broken\.pdf .*failed/ }).waitFor()
    await files.getByRole('row', { name: /fine\.txt/ }).waitFor({ state: 'detached' })
    const upserts = tab.getByRole('table', { name: 'Upserts' })
    await upserts.getByText('1 empty').waitFor()
    assert.equal(await upserts.getByText('done', { exact: true }).count(), 0)

    await tab.getByRole('link', { name: 'Jobs of this flow' }).click()
    await tab.getByRole('table', { name: 'Jobs' }).getByText('3 failed').click()
    await tab.waitForURL(/jobs\?.*files=failed/)
    await tab
      .getByRole('region', { name: 'Failed files' })
      .getByText(/^2 files: /)
      .waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  test('Documents find failed files, and try them again from the kept file or with a file that is chosen', async () => {
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: '/flows/quickstart/documents?search=xyz',
    })
    const failed = tab.getByRole('region', { name: 'Failed files' })
    await failed.getByText('2 files failed').waitFor()
    await failed
      .getByText(/^no loader of this flow reads \.xyz/)
      .first()
      .waitFor()
    assert.equal(await tab.getByText('No document has this in its name').count(), 0)
    // The job has ended before the page asks for it the first time.
    await tab.route(/\/api\/v1\/jobs\/[^/?]+$/, async (route) => {
      await platform.manage('GET', '/api/v1/jobs/events?until=idle')
      await route.continue()
    })
    const chooser = tab.waitForEvent('filechooser')
    await failed.getByRole('button', { name: 'Try again… one.xyz' }).click()
    await (await chooser).setFiles({ name: 'any.txt', mimeType: '', buffer: Buffer.from('It is a text.') })
    await tab.getByText('Upsert done: 1 chunk added').first().waitFor()
    await failed.getByText('1 file failed').waitFor()
    await tab.getByRole('link', { name: 'one.xyz' }).waitFor()

    // The flow keeps files from now on.
    await platform.manage('PATCH', '/api/v1/chatflows/quickstart/settings', { set: { originals: 'on' } })
    await platform.upload('quickstart', { 'fine.txt': 'The harbour is open.', 'two.xyz': BINARY })
    await tab.reload()
    await failed.getByRole('button', { name: 'Try again two.xyz' }).click()
    await tab.getByText('1 file failed again').first().waitFor()
    await failed.getByRole('button', { name: 'Forget two.xyz' }).click()
    await failed.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await close()
  })

  test('a locked PDF has a field for its password beside "Try again" [upsert:password]', async () => {
    const flow = await platform.flow({ name: 'Locked' })
    const file = Uint8Array.from(
      writePdf([{ lines: paragraphLines(['Apples are red.']) }], { password: 'winter' }),
    )
    // Alone it fails its job, which can be retried; beside others it is one row, and must be sent again.
    await platform.upload(flow, { 'alone.pdf': file })
    await platform.upload(flow, { 'one.pdf': file, 'fine.txt': 'The harbour is open.' })
    const { tab, complaints, close } = await openStudio(browser, platform, {
      path: `/flows/${flow}/documents`,
    })
    const failed = tab.getByRole('region', { name: 'Failed files' })
    await failed.getByText('2 files failed').waitFor()
    const again = failed.getByRole('button', { name: 'Try again alone.pdf' })
    assert.equal(await again.isDisabled(), true)
    await failed.getByLabel('Password of alone.pdf').fill('summer')
    await failed.getByLabel('Password of alone.pdf').press('Enter')
    await failed.getByText(/the password that was sent for it is wrong/).waitFor()
    await failed.getByLabel('Password of alone.pdf').fill('winter')
    await again.click()
    await failed.getByText('1 file failed').waitFor()
    await tab.getByRole('link', { name: 'alone.pdf' }).waitFor()

    await failed.getByLabel('Password of one.pdf').fill('winter')
    const chooser = tab.waitForEvent('filechooser')
    await failed.getByRole('button', { name: 'Try again… one.pdf' }).click()
    await (await chooser).setFiles({ name: 'any.pdf', mimeType: '', buffer: Buffer.from(file) })
    await tab.getByRole('link', { name: 'one.pdf' }).waitFor()
    await failed.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await close()
  })
}
