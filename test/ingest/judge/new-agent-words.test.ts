import { describe, expect, test } from 'bun:test'
import { newAgentName } from '../../../ingest/judge/new-agent-name'

const tokenOf = (ua: string) => newAgentName(ua)?.token ?? null
const hostOf = (ua: string) => newAgentName(ua)?.host ?? null
const page = '(+https://owl.example/)'
const words = (text: string) => text.split(' ')

describe('a word', () => {
  test.each(words('bot robot crawler crawl spider scraper fetcher indexer bots'))(
    '%s in a name is that of an agent, beside any browser',
    (word) => {
      for (const name of [`${word}-owl`, `Owl${word.slice(0, 1).toUpperCase()}${word.slice(1)}Pro`])
        for (const ua of [`${name}/1.0`, `Chrome/1.0 ${name}/1.0`])
          expect([ua, tokenOf(ua)]).toEqual([ua, name])
    },
  )

  test.each(words('agent ai llm mcp rag fetch research chat'))(
    '%s in a name is that of an agent where no browser is named, or a page is',
    (word) => {
      const name = `${word}-owl`
      for (const before of ['', 'fetches '])
        if (before !== '' || !/research|chat/.test(word)) expect(tokenOf(`${before}${name}/1`)).toBe(name)
      for (const browser of ['Chrome', 'Safari', 'Firefox', 'Gecko']) {
        expect(tokenOf(`${browser}/1 fetches ${name}/1`)).toBeNull()
        expect(tokenOf(`My${browser}/1 fetches ${name}/1`)).toBe(name)
        expect(tokenOf(`${browser}/x fetches ${name}/1`)).toBe(name)
        expect(tokenOf(`${browser}/1 ${name}/1 ${page}`)).toBe(name)
      }
      expect(tokenOf(`${word}owl fetches`)).toBeNull()
    },
  )

  test.each(words('bot crawler spider scraper fetcher indexer'))('that ends with %s is one', (ending) => {
    expect(tokenOf(`owl${ending}/2`)).toBe(`owl${ending}`)
    expect(tokenOf(`OWL${ending.toUpperCase()}/2`)).toBe(`OWL${ending.toUpperCase()}`)
    expect(tokenOf(`owl${ending}y/2`)).toBeNull()
  })

  const ordinary = words(
    'mozilla applewebkit khtml like gecko chrome safari version mobile compatible firefox edg edge opr opera chromium crios fxios presto trident msie windows linux macintosh intel mac android iphone ipad cpu x11 wow64 win64 x64 nt the and for from with http https www user-agent useragent autonomous beta bot robot crawler spider agent bots ai web contact email mailto url cubot',
  )
  test.each(ordinary)('%s names nobody, even next to a page', (word) => {
    for (const one of [word, word.toUpperCase()]) expect(tokenOf(`${one}/1 Zebra/1 ${page}`)).toBe('Zebra')
    expect(tokenOf(`${word} bot`)).toBeNull()
  })

  test.each(words('bot robot crawler spider bots'))('%s alone is named with the word before it', (word) => {
    expect(tokenOf(`Owl ${word}/1.0`)).toBe(`Owl ${word}`)
    expect(tokenOf(`Zebra Owl ${word}/1.0`)).toBe(`Owl ${word}`)
    expect(tokenOf(`${word}/1.0`)).toBeNull()
    expect(tokenOf(`12345 ${word}/1.0`)).toBeNull()
  })

  test('of a user at the end is that of an agent', () => {
    expect(tokenOf('Owl-User/1.0')).toBe('Owl-User')
    for (const name of ['Owl-Users', 'OwlUser', '9-user']) expect(tokenOf(`${name}/1.0`)).toBeNull()
  })

  test('may be at the end of the text', () => {
    for (const name of ['owl-ai', 'owl-rag', 'owl-llm', 'owl-mcp']) expect(tokenOf(name)).toBe(name)
  })
})

describe('what is no agent', () => {
  test.each(['CFNetwork/1', 'Darwin/1', 'Dalvik/1', '[FBAN', 'MicroMessenger/1', 'Instagram 1'])(
    'is an app of people: %s',
    (app) => {
      for (const one of [app, app.toUpperCase(), app.toLowerCase()])
        expect(tokenOf(`OwlBot/1 ${one}`)).toBeNull()
    },
  )

  test('is a device in the first parentheses, unless it calls itself compatible', () => {
    for (const start of ['Mozilla/5.0 ', 'Opera/9.80', 'mozilla/12345.78 '])
      expect(tokenOf(`${start}(Owl Spider 8; bot)`)).toBeNull()
    expect(tokenOf('Mozilla/5.0 (compatible; OwlBot/1.0)')).toBe('OwlBot')
    expect(tokenOf(`Mozilla/5.0 (${'x'.repeat(188)}; compatible; OwlBot)`)).toBe('OwlBot')
    expect(tokenOf('Lynx/5.0 (OwlBot)')).toBe('OwlBot')
    expect(tokenOf('Mozilla/123456789 (OwlBot)')).toBe('OwlBot')
    expect(tokenOf(`Mozilla/5.0 (${'x'.repeat(292)};OwlBot)`)).toBeNull()
  })

  test('is an address, a mail address or a page', () => {
    for (const word of ['me@owlbot', 'owl:bot', '+owlbot', 'www.owlbot'])
      expect(tokenOf(`${word} fetch`)).toBeNull()
  })
})

describe('a name', () => {
  test('has no version', () => {
    for (const end of ['-1', '_v2', '.3', '-1.2.3', '/9', `-${'1'.repeat(21)}`])
      expect(tokenOf(`owlbot${end}`)).toBe('owlbot')
    expect(tokenOf(`owlbot-${'1'.repeat(22)}`)).toBeNull()
    expect(tokenOf('owl-2-bot')).toBe('owl-2-bot')
  })

  test('has 3 to 40 signs, four digits at most, and begins with a letter', () => {
    const long = `${'o'.repeat(37)}bot`
    expect([tokenOf(long), tokenOf(`o${long}`)]).toEqual([long, null])
    expect([tokenOf(`Zeb ${page}`), tokenOf(`Ze ${page}`)]).toEqual(['Zeb', null])
    expect([tokenOf('owl1234bot'), tokenOf('owl12345bot')]).toEqual(['owl1234bot', null])
    for (const name of ['1owlbot', 'owl~bot', '_owlbot']) expect(tokenOf(name)).toBeNull()
    expect(tokenOf('Owl.is_a-bot')).toBe('Owl.is_a-bot')
  })

  test('is no address and no id', () => {
    for (const name of ['owl-1.2.3.4-bot', 'owl_1-2-3-4_bot', 'bot-1_2_3_4x'])
      expect(tokenOf(name)).toBeNull()
    expect(tokenOf('owl-1.2.3-bot')).toBe('owl-1.2.3-bot')
    for (const name of ['abc1de2fg3-bot', 'bot-1a2b3c', 'a12b3c4bot']) expect(tokenOf(name)).toBeNull()
    expect(tokenOf('a1b2-bot')).toBe('a1b2-bot')
  })

  test('is one of the first 48 words, with at most 191 signs between words', () => {
    const others = (count: number) => `${'x '.repeat(count)}owlbot`
    expect([tokenOf(others(47)), tokenOf(others(48))]).toEqual(['owlbot', null])
    expect([tokenOf(`${';'.repeat(191)}owlbot`), tokenOf(`${';'.repeat(192)}owlbot`)]).toEqual([
      'owlbot',
      null,
    ])
    for (const sign of [...' ;,()"\'<>[]{}|\t']) expect(tokenOf(`a${sign}owlbot${sign}b`)).toBe('owlbot')
  })

  test('is read from the first 512 characters', () => {
    const before = 'x'.repeat(505)
    expect([tokenOf(`${before} owlbot`), tokenOf(`${before}x owlbot`)]).toEqual(['owlbot', null])
  })
})

describe('a host', () => {
  test.each([
    ['+https://owl.example/a', 'owl.example'],
    ['+ http://www.owl.example', 'owl.example'],
    ['+HTTPS://OWL.example:8080/', 'owl.example'],
    ['+https://owl.example;x', 'owl.example'],
    ['+https://owl.example,x', 'owl.example'],
    ["+https://owl.example'x", 'owl.example'],
    ['+https://owl.example>x', 'owl.example'],
    ['+https://o.de', 'o.de'],
    [`+https://owl.${'e'.repeat(24)}`, `owl.${'e'.repeat(24)}`],
    ['+https://a1234.example', 'a1234.example'],
    [`+https://${'o'.repeat(60)}.${'l'.repeat(11)}.example`, `${'o'.repeat(60)}.${'l'.repeat(11)}.example`],
    [`+https://owl.example/${'a'.repeat(300)}`, 'owl.example'],
  ])('is read from %s', (written, host) => expect(hostOf(`OwlBot ${written}`)).toBe(host))

  test.each([
    'https://owl.example',
    '+ftp://owl.example',
    '+https://u@owl.example',
    '+https://:p@owl.example',
    '+https://owl',
    '+https://o.d',
    `+https://owl.${'e'.repeat(25)}`,
    '+https://a12345.example',
    '+https://1-2-3-4.example',
    `+https://${'o'.repeat(60)}.${'l'.repeat(13)}.example`,
    '+https://owl.exa_mple',
    '+https://',
  ])('is not read from %s', (written) => expect(hostOf(`OwlBot ${written}`)).toBeNull())
})
