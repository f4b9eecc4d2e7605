import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { businessData } from '../../../../plugins/enrichment/listing/business-data'
import { pageBounds, type SitePage } from '../../../../plugins/enrichment/website/page'
import { readPage } from '../../../../plugins/enrichment/website/read-page'

const read = (html: string) => readPage(html, 'https://acme.example/shop/', '2026-03-15T12:00:00.000Z')
const words = (page: SitePage) => page.blocks.join('\n')

describe('A page', () => {
  test('is read as somebody would who looks at it', async () => {
    const page = await read(`<!doctype html><html lang="de-AT"><head><title>Acme &amp; Söhne</title>
      <meta name="description" content="Install&shy;ateur in Wien"><meta property="og:description" content="other">
      <meta property="og:locale" content="de_AT"><link rel="alternate" hreflang="en" href="/en"></head>
      <body><nav><a href="../kontakt">Kontakt</a></nav><h1>Acme <em>GmbH</em></h1><p>Wir reparieren<br>Rohre.<p>Und
      mehr<ul><li>Gas<li>Wasser</ul><table><tr><td>Mo<td>9–17</table><footer>Impressum <a href="tel:+43%201%20234">ruf an</a></footer>`)
    expect(page).toMatchObject({
      title: 'Acme & Söhne',
      description: 'Installateur in Wien',
      headings: ['Acme GmbH'],
      blocks: ['Acme GmbH', 'Wir reparieren', 'Rohre.', 'Und mehr', 'Gas', 'Wasser', 'Mo', '9–17'],
      links: [{ url: 'https://acme.example/kontakt', words: 'Kontakt' }],
      phones: ['+43 1 234'],
      languages: ['de-AT', 'de_AT', 'en'],
      data: [],
      isCut: false,
    })
  })

  test.each([
    ['a script', '<script>alert("SECRET")</script>'],
    ['a script that does not end', '<script>SECRET'],
    ['a script in a comment in a script', '<script><!-- SECRET\n// --></script>'],
    ['a style', '<style>p::after{content:"SECRET"}</style>'],
    ['a template', '<template><p>SECRET</template>'],
    ['a comment', '<!-- SECRET --><!--> SECRET -->'.replace('<!-->', '<!-- x')],
    ['an attribute', '<p data-x="SECRET" onclick="SECRET" title="SECRET" alt="SECRET">'],
    ['a form', '<form><label>SECRET</label><textarea>SECRET</textarea></form>'],
    ['an image of vectors', '<svg><text>SECRET</text><title>SECRET</title></svg>'],
    ['what is hidden', '<div hidden><p>SECRET</div>'],
    ['what is hidden from readers aloud', '<div aria-hidden=TRUE>SECRET</div>'],
    ['what has no display', '<div style="color:red; DISPLAY : none">SECRET</div>'],
    ['what cannot be seen', '<span style="visibility:hidden">SECRET</span><b style="opacity:0">SECRET</b>'],
    ['what is too small', '<p style="font-size:0">SECRET</p><p style="font-size: 1px !important">SECRET</p>'],
    ['what stands outside', '<div style="position:absolute;left:-9999px">SECRET</div>'],
    ['a hidden link', '<a hidden href="https://x.example">SECRET</a>'],
    [
      'a script of data in what is hidden',
      '<div hidden><script type="application/ld+json">"SECRET"</script></div>',
    ],
  ])('keeps %s to itself', async (_, html) => {
    const page = await read(`<p>before ${html}`)
    expect(JSON.stringify(page)).not.toContain('SECRET')
    expect(
      words(await read(`${html.includes('not end') || html === '<script>SECRET' ? '' : html}<p>after</p>`)),
    ).toContain('after')
  })

  test('says nothing that cannot be seen', async () => {
    const tags = [...'hidden'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    const page = await read(
      `<p>a\u202Eb\u2066c\u200Bd\u00ADe\uFEFFf${tags}g\u0000h\uD800i&#8203;j&#x202e;k&zwj;l</p>`,
    )
    expect(words(page)).toBe(
      'abcdefgh\uFFFDijkl'.replace('\uFFFD', words(page).includes('\uFFFD') ? '\uFFFD' : ''),
    )
    expect(words(await read(`<p>e${'\u0301'.repeat(5_000)}</p>`)).length).toBeLessThan(10)
  })

  test('names what makes it up by its own address, whatever it calls its base', async () => {
    const page = await read(
      '<base href="https://cdn.example/x/"><base href="javascript:1"><a href="y">y</a><a href="javascript:alert(1)">z</a><a href="data:text/html,x">d</a>',
    )
    expect(page.links).toEqual([{ url: 'https://cdn.example/x/y', words: 'y' }])
  })
})

/** Pages made to be too much. Each is as large as a page may be at all: work that grows with the square of it runs out of time. */
const bytes = 4_000_000
const much = (piece: string, most = bytes) => piece.repeat(Math.floor(most / piece.length))
const monsters: readonly (readonly [name: string, html: string])[] = [
  ['elements in each other', much('<b>')],
  ['blocks in each other', much('<div>')],
  ['lists in each other', much('<ul><li>')],
  ['tables in each other', much('<table><tr><td>')],
  ['elements that nobody opened', much('</b>')],
  ['elements crosswise', much('<b><i></b></i>')],
  ['an attribute', `<p title="${much('x')}">hi</p>`],
  ['an attribute that does not end', `<p title="${much('x')}`],
  ['attributes', `<p ${Array.from({ length: 400_000 }, (_, n) => `a${n}=1`).join(' ')}>hi</p>`],
  ['addresses', much(`<a href="/${'x'.repeat(3_000)}">y</a>`)],
  ['links', much('<a href="/x">y')],
  ['words', `<p>${much('word ')}`],
  ['one word', `<p>${much('x')}`],
  ['paragraphs', much('<p>x')],
  ['headings', much('<h1>x</h1>')],
  ['a title', `<title>${much('x')}`],
  ['ampersands', much('&')],
  ['entities', much('&amp;&#x1F600;')],
  ['less-thans', much('<')],
  ['comments that do not end', much('<!--')],
  ['declarations', much('<!DOCTYPE [<!ENTITY a "&a;&a;">]>')],
  ['scripts', much('<script>x</script>')],
  ['styles', much('<style>')],
  ['languages', much('<link rel=alternate hreflang=en>')],
  ['telephone numbers', much('<a href="tel:+441134960187">x</a>')],
  ['data', `<script type="application/ld+json">${much('["x",')}</script>`],
  [
    'blocks of data',
    much(`<script type="application/ld+json">${'['.repeat(60_000)}${']'.repeat(60_000)}</script>`),
  ],
  [
    'deep data',
    `<script type="application/ld+json">${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}</script>`,
  ],
  ['marks on one letter', `<p>e${'\u0301'.repeat(bytes / 2)}`],
  ['characters that are not seen', `<p>${'\u200B'.repeat(bytes / 3)}`],
]

function isBounded(page: SitePage): boolean {
  const texts = page.blocks.reduce((sum, block) => sum + block.length, 0)
  return (
    texts <= pageBounds.textCharacters &&
    page.blocks.length <= pageBounds.blocks &&
    page.headings.length <= pageBounds.headings &&
    page.links.length <= pageBounds.links &&
    page.links.every(({ url, words }) => url.length <= 10_000 && words.length <= pageBounds.linkCharacters) &&
    page.languages.length <= pageBounds.languages &&
    page.phones.length <= 20 &&
    page.data.length <= pageBounds.dataBlocks &&
    page.title.length <= pageBounds.headingCharacters &&
    page.description.length <= pageBounds.attributeCharacters
  )
}

describe('A page made of', () => {
  test.each(monsters)('too many or too large %s is read within bounds', async (_, html) => {
    const page = await read(html)
    expect(isBounded(page)).toBe(true)
    expect(() => businessData(page.data, { business_name: 'Acme' })).not.toThrow()
  })

  test('names that objects have by themselves is a page like any', async () => {
    const page = await read(
      `<p __proto__="x" constructor="y"><a __proto__=1 href="/z">z</a><script type="application/ld+json">
      {"__proto__":{"@type":"Plumber","name":"Evil","telephone":"1"},"@type":"Plumber","name":"Acme","constructor":{"prototype":{"telephone":"666"}},"address":{"__proto__":{"streetAddress":"x"}}}</script>`,
    )
    const data = businessData(page.data, { business_name: 'Acme' })
    expect(data).toMatchObject({ name: 'Acme', phone: '', street: '' })
    expect(({} as Record<string, unknown>).telephone).toBeUndefined()
  })
})

const piece = fc.oneof(
  fc.constantFrom(
    '<p>',
    '</p>',
    '<div hidden>',
    '</div>',
    '<script>',
    '</script>',
    '<script type="application/ld+json">',
    '<b',
    '>',
    '"',
    "='",
    '<!--',
    '-->',
    '<svg>',
    '</svg>',
    '<title>',
    '</title>',
    '<a href="',
    '<a href=/about>',
    '</a>',
    '<![CDATA[',
    ']]>',
    '<?xml',
    '&#x',
    '&amp',
    ';',
    '<h1>',
    '<br/>',
    '{"@type":"Store","name":',
    '{"@graph":[',
    ']}',
    '<meta charset=',
    '<html lang=',
    '<base href=//x>',
    '\u0000',
    '\uD800',
    '\u202E',
    '</',
    '<',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.json({ maxDepth: 3 }),
)

test('any page is read, to the end and within bounds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
      const page = await read(pieces.join(''))
      expect(isBounded(page)).toBe(true)
      businessData(page.data, { business_name: 'Acme', phone: '1234567' })
    }),
    { numRuns: process.env.RENOWN_LONG ? 20_000 : 500 },
  )
})

test('any data is looked through', () => {
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(
        fc.constantFrom(
          '@type',
          '@graph',
          'name',
          'address',
          'openingHours',
          'openingHoursSpecification',
          'hasOfferCatalog',
          'itemListElement',
          'itemOffered',
          'areaServed',
          'amenityFeature',
          'sameAs',
          'dayOfWeek',
          'opens',
          'knowsLanguage',
          '__proto__',
          '@value',
        ),
        fc.oneof(tie('node'), fc.constantFrom('Plumber', 'Mo-Fr 09:00-17:00', 'Mo', '9am', '', 0)),
      ),
      fc.array(tie('node'), { maxLength: 4 }),
    ),
  })).node
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), (data) => {
      const found = businessData(data, { business_name: 'Plumber' })
      expect(JSON.stringify(found).length).toBeLessThan(200_000)
    }),
    { numRuns: process.env.RENOWN_LONG ? 20_000 : 1_000 },
  )
})
