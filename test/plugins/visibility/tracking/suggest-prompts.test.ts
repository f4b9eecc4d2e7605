import { expect, test } from 'bun:test'
import { suggestPrompts } from '../../../../plugins/visibility/tracking/suggest-prompts'
import written from '../../../../plugins/visibility/tracking/suggested-prompts.json'

test('every language has a question of each kind, with all that it asks about', () => {
  for (const language of Object.keys(written)) {
    const prompts = suggestPrompts({ name: 'Acme', category: 'roofer', city: 'Leeds', language })
    const asked = prompts.map(({ text, isBranded }) => [
      text.includes('Leeds'),
      text.includes(isBranded ? 'Acme' : 'roofer'),
      /[{}]/.test(text),
    ])
    expect([language, asked]).toEqual([language, Array.from({ length: 5 }, () => [true, true, false])])
  }
})
