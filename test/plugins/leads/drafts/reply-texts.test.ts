import { expect, test } from 'bun:test'
import { replyTexts } from '../../../../plugins/leads/drafts/reply-texts'

test('the texts of every language name the business, and have a sentence for each length', () => {
  for (const [language, { disclosure, sentences }] of Object.entries(replyTexts)) {
    expect([language, disclosure.split('{business}').length]).toEqual([language, 2])
    expect([language, sentences.length]).toEqual([language, 3])
    expect([language, sentences.some((one) => /[{}]/.test(one) || one.trim() === '')]).toEqual([
      language,
      false,
    ])
  }
})
