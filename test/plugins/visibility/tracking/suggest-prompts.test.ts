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

const services = ['Boiler repair', 'boiler  repair', 'Emergency call-outs', 'Gas safety checks', 'Bathrooms']
const asked = (more: object = {}) =>
  suggestPrompts({ name: 'Acme', category: 'plumber', city: 'Leeds', language: 'en', services, ...more })

test('up to three services are asked about, once each, in every language', () => {
  for (const language of Object.keys(written)) {
    const texts = asked({ language }).map(({ text }) => text)
    expect([language, texts.length, texts.some((text) => /[{}]/.test(text))]).toEqual([language, 8, false])
    for (const service of ['Boiler repair', 'Emergency call-outs', 'Gas safety checks'])
      expect([language, texts.filter((text) => text.includes(service)).length]).toEqual([language, 1])
  }
  expect(asked().map(({ isBranded }) => isBranded)).toEqual([...Array(7).fill(false), true])
})

test('services alone are enough, and without a city nothing is asked', () => {
  expect(asked({ category: undefined }).map(({ text }) => text)).toEqual([
    'Who in Leeds is good for Boiler repair?',
    'Who in Leeds is good for Emergency call-outs?',
    'Who in Leeds is good for Gas safety checks?',
    'Is Acme in Leeds any good?',
  ])
  expect(asked({ city: undefined })).toEqual([])
})

test.each([
  ['the category again', 'Plumber'],
  ['the name of the business', 'ACME boilers'],
  ['a sentence', 'We have been the trusted partner of homes and businesses since our grandfather began'],
  ['a price', 'Service from £99.99'],
  ['a telephone number', 'Call 0113 496 0000'],
  ['an address', 'see www.acme.example'],
  ['markup', '<b>Boilers</b>'],
  ['a placeholder', '{name}'],
  ['nothing', '  '],
])('%s is no service to ask about', (_, service) => {
  expect(asked({ services: [service] }).length).toBe(5)
})

test('what a service says is never filled in again', () => {
  const [prompt] = asked({ services: ['Name, city'], category: undefined, city: 'Bad {name}' })
  expect(prompt?.text).toBe('Who in Bad {name} is good for Name, city?')
})
