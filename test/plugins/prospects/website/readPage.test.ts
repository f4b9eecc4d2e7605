import { describe, expect, test } from 'bun:test'
import { readPage, robotsHeader } from '../../../../plugins/prospects/website/readPage'

const read = (html: string) => readPage(new TextEncoder().encode(html), 'https://service.example/')
const ld = (json: string) => `<script type="application/ld+json">${json}</script>`

describe('A page', () => {
  test('tells what it says to robots, to all and to the ones that are known', async () => {
    const page = await read(
      '<meta name=ROBOTS content="NOINDEX , max-snippet:0"><meta name="GPTBot" content="none"><meta name="user-info" content="x">',
    )
    expect(page.robots).toEqual([
      { robot: 'robots', directives: ['noindex', 'max-snippet:0'] },
      { robot: 'gptbot', directives: ['none'] },
    ])
  })
  test('tells its types, in JSON-LD of any shape and in microdata', async () => {
    const page = await read(
      `${ld('{"@context":"https://schema.org","@graph":[{"@type":["Dentist","LocalBusiness"],"address":{"@type":"PostalAddress"}}]}')}
       ${ld('[{"@type":"https://schema.org/FAQPage"}]')}${ld('{broken')}
       <div itemscope itemtype="https://schema.org/Product http://schema.org/Thing"></div>`,
    )
    expect(page.json_ld).toEqual({ blocks: 3, unreadable: 1 })
    expect([...page.types].sort()).toEqual([
      'Dentist',
      'FAQPage',
      'LocalBusiness',
      'PostalAddress',
      'Product',
      'Thing',
    ])
  })
  test('has a title and a description, or not', async () => {
    expect(await read('<title> </title><meta name=description content=" ">')).toMatchObject({
      has_title: false,
      has_description: false,
    })
    expect(await read('<title>Shop</title><meta name=description content="We sell">')).toMatchObject({
      has_title: true,
      has_description: true,
    })
  })
  test('carries keys of ours in the addresses of its scripts alone', async () => {
    const page = await read(
      '<script src="/s/rnw_site_a1.js"></script><script>"/s/rnw_site_b2.js"</script><script src="/s/other.js"></script>',
    )
    expect(page.script_keys).toEqual(['rnw_site_a1'])
  })
  test('of a stranger may be anything: what is kept of it stays short and harmless', async () => {
    const types = Array.from({ length: 500 }, (_, n) => `{"@type":"T${n}"}`).join()
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
    const page = await read(
      `${ld(`[${types}]`)}${ld(deep)}${ld('{"@type":"<script>alert(1)</script>"}')}${ld(`"${'x'.repeat(600_000)}"`)}
       ${'<meta name="robots" content="a\u202Eb\u200Bc,,">'.repeat(100)}<script src="::/s/rnw_site_x.js"></script>`,
    )
    expect(page.types).toHaveLength(30)
    expect(page.types.every((type) => /^\w+$/.test(type))).toBe(true)
    expect(page.robots).toHaveLength(20)
    expect(page.robots[0]?.directives).toEqual(['abc'])
    expect(JSON.stringify(page).length).toBeLessThan(5_000)
  })
  test.each(['', '<', '<script', '<script type="application/ld+json">{', '\0\0\0', '<meta name>'])(
    'of %j is read all the same',
    async (html) => {
      expect((await read(html)).types).toEqual([])
    },
  )
})

describe('A header for robots', () => {
  test.each([
    ['noindex, nofollow', [{ robot: 'robots', directives: ['noindex', 'nofollow'] }]],
    [
      'googlebot: nofollow, noarchive, GPTBot: noindex',
      [
        { robot: 'googlebot', directives: ['nofollow', 'noarchive'] },
        { robot: 'gptbot', directives: ['noindex'] },
      ],
    ],
    [
      'unavailable_after: 25 Jun 2030 15:00:00 PST',
      [{ robot: 'robots', directives: ['unavailable_after: 25 jun 2030 15:00:00 pst'] }],
    ],
    ['', []],
    [null, []],
  ])('%j', (header, words) => {
    expect(robotsHeader(header)).toEqual(words)
  })
  test('has no end that is waited for', () => {
    expect(JSON.stringify(robotsHeader('noindex,'.repeat(100_000))).length).toBeLessThan(2_000)
  })
})
