import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readContacts } from '../../../../plugins/leads/dispatch/contacts'

const read = async (body: string, country = 'GB', title?: string) => {
  const contacts = await readContacts({ body, title }, { city: 'Leeds', country })
  for (const { in: field, start, end } of contacts) {
    const text = (field === 'title' ? title : body) ?? ''
    expect(text.slice(start, end).length).toBeGreaterThan(0)
  }
  return Object.fromEntries(contacts.map(({ field, value }) => [field, value]))
}

test.each<[body: string, country: string, contacts: Record<string, string>]>([
  ['Mail me: Ann.Smith+x@mail.co.uk, thanks', 'GB', { email: 'ann.smith+x@mail.co.uk' }],
  ['Call 0113 496 0000 after six', 'GB', { phone: '+44 113 496 0000' }],
  ['Call +1 (212) 555-2368', 'GB', { phone: '+1 212 555 2368' }],
  ['Ruf an: 030 901820', 'DE', { phone: '+49 30 901820' }],
  ['My name is Ann Smith and I need help', 'GB', { first_name: 'Ann', last_name: 'Smith' }],
  ['Je m’appelle Zoé', 'FR', { first_name: 'Zoé' }],
  ['We live in Headingley, Leeds LS6 3AA', 'GB', { suburb: 'Headingley', postcode: 'LS6 3AA' }],
  ['In Austin TX 78701', 'US', { postcode: '78701' }],
  ['Richmond VIC 3121', 'AU', { postcode: '3121' }],
])('reads contact details from %s', async (body, country, contacts) => {
  expect(await read(body, country)).toEqual(contacts)
})

test.each([
  'Follow @ann@mastodon.social',
  'a@b',
  'write to someone@nowhere.invalidtld',
  'x..y@mail.com',
  'It cost 1,234,567 in 2019-2024',
  'Order 4930496000012345678',
  'https://shop.example/p/01134960000',
  '0113 496',
  'my name is ann',
  'in headingley, Leeds',
  'in Headingley, York',
  'error 78701 in line 3121',
])('reads none from %s', async (body) => {
  expect(await read(body)).toEqual({})
})

test('gives the position of each in the unchanged text, the title first', async () => {
  const contacts = await readContacts(
    { title: 'Mail ann@mail.com', body: 'or bob@mail.com, my name is Bob' },
    { country: 'GB' },
  )
  expect(contacts).toEqual([
    { field: 'first_name', value: 'Bob', in: 'body', start: 28, end: 31 },
    { field: 'email', value: 'ann@mail.com', in: 'title', start: 5, end: 17 },
  ])
})

test('never gives a value that is not in the text', async () => {
  const piece = fc.constantFrom(
    'ann@mail.com',
    '0113 496 0000',
    'LS6 3AA',
    'my name is Ann Lee',
    ' ',
    '@',
    '.',
    '07',
    'x',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (parts) => {
      const body = parts.join('')
      for (const { field, value, start, end } of await readContacts({ body }, { country: 'GB' })) {
        const written = body.slice(start, end)
        const digits = (text: string) => text.replace(/\D/g, '')
        if (field === 'phone') expect(digits(value).slice(-6)).toBe(digits(written).slice(-6))
        else expect(written.toLowerCase()).toBe(value.toLowerCase())
      }
    }),
    { numRuns: 100 },
  )
})
