import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import letters, { Letter } from '../../../examples/letters'
import { type Gate, startGate } from '../../support/harness'
import { quietLog } from '../../support/quiet-log'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [letters], log: quietLog })
})
afterAll(() => gate.stop())

async function letter() {
  const { id } = await gate.put(Letter, { location_id: 'loc_1', recipient: 'Jane' })
  const draft = async (wish: object = {}) => {
    const answer = await gate.call('draftLetter', { letter_id: id, ...wish })
    const { draft: text, generator, errors } = (await answer.json()) as Record<string, unknown>
    const field = (errors as { pointer: string }[] | undefined)?.[0]?.pointer
    return [answer.status, field ?? text, ...(generator === undefined ? [] : [generator])]
  }
  return { id, draft }
}
const template = [200, 'Dear Jane, thank you.', 'template:v1']

describe('the draft of a record type', () => {
  test('is generated, or the caller’s own, and each takes back the other', async () => {
    const { draft } = await letter()
    expect(await draft()).toEqual(template)
    expect(await draft({ text: ' Hello. ' })).toEqual([200, 'Hello.', 'caller'])
    expect(await draft({ take_back: true })).toEqual(template)
    expect(await draft({ take_back: true })).toEqual([200, 'Hello.', 'caller'])
  })

  test('is replaced only if it is the one that the caller expects; empty for none', async () => {
    const { draft } = await letter()
    expect(await draft({ text: 'One', if_unchanged: 'Other' })).toEqual([409, ''])
    expect(await draft({ text: 'One', if_unchanged: '' })).toEqual([200, 'One', 'caller'])
    expect(await draft({ text: 'Two', if_unchanged: '' })).toEqual([409, 'One'])
    expect(await draft({ text: 'Two', if_unchanged: 'One' })).toEqual([200, 'Two', 'caller'])
  })

  test('is not replaced by one of two that are written at the same time', async () => {
    const { draft } = await letter()
    const both = await Promise.all([draft({ text: 'One' }), draft({ text: 'Two' })])
    const [saved, refused] = both.toSorted(([a], [b]) => Number(a) - Number(b))
    expect([saved?.[0], refused]).toEqual([200, [409, saved?.[1]]])
  })

  test('that replaced none cannot be taken back, nor together with a text', async () => {
    const { draft } = await letter()
    expect(await draft({ take_back: true })).toEqual([409, undefined])
    expect(await draft({ take_back: true, text: 'x' })).toEqual([422, '/take_back'])
  })
})

test('docs/plugin-authors/drafts.md shows the plugin that is tested here', async () => {
  const root = new URL('../../../', import.meta.url)
  const [page, plugin] = await Promise.all(
    ['docs/plugin-authors/drafts.md', 'examples/letters.ts'].map((path) =>
      Bun.file(new URL(path, root)).text(),
    ),
  )
  expect(page).toContain(plugin)
})
