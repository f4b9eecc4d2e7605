import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseRobots, robotsBytesMax } from '../../../core/kit/robots'

const allowed = (file: string, robot: string, path: string) => parseRobots(file).verdict(robot, path).allowed

/** The example of RFC 9309, section 5.1. */
const simple = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
`

describe("RFC 9309's example", () => {
  test.each([
    ['anybot', '/', true],
    ['anybot', '/picture.gif', false],
    ['anybot', '/picture.gif?size=2', true],
    ['anybot', '/example/page.html', false],
    ['anybot', '/publications/', true],
    ['foobot', '/', false],
    ['foobot', '/publications/', false],
    ['foobot', '/example/page.html', true],
    ['FooBot', '/example/allowed.gif', true],
    ['foobot', '/example/other.gif', false],
    ['barbot', '/example/page.html', false],
    ['BAZBOT', '/example/page.html', false],
    ['bazbot', '/picture.gif', true],
    ['quxbot', '/example/page.html', true],
  ])('%s at %s: %p', (robot, path, expected) => {
    expect(allowed(simple, robot, path)).toBe(expected)
  })

  test('says which group decided, and by which rule', () => {
    const robots = parseRobots(simple)
    expect(robots.verdict('foobot', '/')).toEqual({ allowed: false, group: 'named', rule: 'Disallow: /' })
    expect(robots.verdict('anybot', '/')).toEqual({ allowed: true, group: 'all' })
    expect(robots.verdict('quxbot', '/')).toEqual({ allowed: true, group: 'named' })
    expect(parseRobots('').verdict('anybot', '/')).toEqual({ allowed: true, group: 'none' })
  })
})

describe('groups', () => {
  test('of one robot are one, whatever stands between', () => {
    const file =
      'user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot\ndisallow: /baz'
    for (const path of ['/foo', '/bar', '/baz']) expect(allowed(file, 'examplebot', path)).toBe(false)
  })
  test('begin with lines that follow each other; a sitemap, a delay or a blank line does not end them', () => {
    const file =
      'User-agent: a\nSitemap: https://x.example/s.xml\nCrawl-delay: 5\n\n# and\nUser-agent: b\nDisallow: /'
    expect([allowed(file, 'a', '/'), allowed(file, 'b', '/')]).toEqual([false, false])
  })
  test('are found by the whole token, without its version', () => {
    const file = 'User-agent: GPTBot/1.1\nDisallow: /'
    expect([allowed(file, 'GPTBot', '/'), allowed(file, 'GPT', '/'), allowed(file, 'GPTBot2', '/')]).toEqual([
      false,
      true,
      true,
    ])
  })
  test('that name a robot leave nothing to the one for all', () => {
    const file = 'User-agent: *\nDisallow: /\nUser-agent: CCBot\nDisallow: /private'
    expect([allowed(file, 'CCBot', '/'), allowed(file, 'GPTBot', '/')]).toEqual([true, false])
  })
  test('of many robots above many rules cost no more than their lines', () => {
    const names = Array.from({ length: 17_000 }, (_, n) => `user-agent:${n.toString(36)}`)
    const rules = Array.from({ length: 17_000 }, (_, n) => `disallow:/${n.toString(36)}`)
    const before = process.memoryUsage.rss()
    const file = [...names, ...rules].join('\n')
    expect(file.length).toBeLessThan(robotsBytesMax)
    const robots = parseRobots(file)
    expect([robots.verdict('d3k', '/d3k').allowed, robots.verdict('d3k', '/-').allowed]).toEqual([
      false,
      true,
    ])
    // As many rules for each robot would be 289 million, several gigabytes of them.
    expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 2 ** 20)
  })
  test('hold rules only after their first line; rules before it are nobody’s', () => {
    expect(allowed('Disallow: /\nUser-agent: a\nAllow: /x', 'a', '/')).toBe(true)
  })
  test.each(['constructor', '__proto__', 'toString'])('of no robot called %s are made up', (robot) => {
    expect(parseRobots('User-agent: *\nDisallow: /').verdict(robot, '/')).toMatchObject({ group: 'all' })
  })
})

describe('rules', () => {
  const one = (lines: string, path: string) => allowed(`User-agent: *\n${lines}`, 'x', path)
  test('are judged by the longest, and of two as long the one that allows wins', () => {
    expect(one('Allow: /a/page\nDisallow: /a/page.html', '/a/page.html')).toBe(false)
    expect(one('Disallow: /a\nAllow: /a/b', '/a/b/c')).toBe(true)
    expect(one('Disallow: /page\nAllow: /page', '/page')).toBe(true)
    expect(one('Allow: /page\nDisallow: /page', '/page')).toBe(true)
  })
  test.each([
    ['/fish', '/fish.html', false],
    ['/fish', '/Fish', true],
    ['/fish/', '/fish', true],
    ['/fish*', '/fishheads', false],
    ['/*.php', '/a/index.php?x=1', false],
    ['/*.php$', '/a/index.php?x=1', true],
    ['/*.php$', '/a/index.php.php', false],
    ['/fish*.php', '/fishheads/catfish.php?p', false],
    ['/a*b$', '/ab', false],
    ['/ab*b$', '/ab', true],
    ['/$', '/', false],
    ['/$', '/x', true],
    ['/a$b', '/a$b', false],
    ['*', '/anything', false],
    ['/*?', '/x?y', false],
    ['/*?', '/x', true],
    ['', '/x', true],
    ['nothing', '/nothing', true],
  ])('Disallow: %s lets %s through: %p', (pattern, path, expected) => {
    expect(one(`Disallow: ${pattern}`, path)).toBe(expected)
  })
  test.each([
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%E3%83%84', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%e3%83%84', '/foo/bar/ツ'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/😀', '/%F0%9F%98%80'],
    ['/*/feed/', '/a?x=/feed/'],
  ])('compare %s and %s as one spelling', (pattern, path) => {
    expect(one(`Disallow: ${pattern}`, path)).toBe(false)
  })
  test('an escaped slash is none', () => {
    expect(one('Disallow: /a%2Fb', '/a/b')).toBe(true)
  })
  test('robots.txt itself may always be read', () => {
    expect(one('Disallow: /', '/robots.txt')).toBe(true)
  })
})

describe('a file', () => {
  test('may come with a mark of its encoding, any line ends, blanks and comments', () => {
    const bytes = Buffer.from('\uFEFF  USER-AGENT : * # all\r\n\tDISALLOW:\t/ # no\r', 'utf8')
    expect(parseRobots(bytes).verdict('x', '/').allowed).toBe(false)
  })
  test('may be no such file at all', () => {
    const html = '<!doctype html><script>let x = {a: 1}</script><p>User-agent: *<p>Disallow: /'
    expect(parseRobots(html).verdict('x', '/')).toEqual({ allowed: true, group: 'none' })
    expect(parseRobots(new Uint8Array([0xff, 0x00, 0x80])).verdict('x', '/').allowed).toBe(true)
  })
  test('is read to its bound and no further', () => {
    const filling = '# filling\n'.repeat(robotsBytesMax / 10)
    const bytes = Buffer.from(`${filling}User-agent: *\nDisallow: /`)
    expect(parseRobots(bytes).verdict('x', '/').group).toBe('none')
    expect(parseRobots(bytes.subarray(10)).verdict('x', '/').group).toBe('none')
    expect(parseRobots(bytes.subarray(1_000)).verdict('x', '/').allowed).toBe(false)
  })
  test('whatever it holds, is answered without a throw and says the same to any spelling of a name', () => {
    const line = fc.oneof(
      fc.constantFrom('User-agent: *', 'User-agent: a', 'Disallow: /', 'Allow: /a', 'Sitemap: x', ''),
      fc
        .tuple(fc.constantFrom('allow:', 'disallow: ', 'user-agent:'), fc.string())
        .map((two) => two.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(line), fc.webPath(), (lines, path) => {
        const robots = parseRobots(lines.join('\n'))
        expect(robots.verdict('a', path)).toEqual(robots.verdict('A', path))
      }),
    )
  })
  test('that is made to cost much costs little: no rule is tried twice, none goes back', () => {
    const names = Array.from({ length: 30 }, (_, n) => `User-agent: bot${n}`).join('\n')
    const rules = `Disallow: /${'*a'.repeat(20)}b\n`.repeat(10_000)
    const robots = parseRobots(`${names}\n${rules}`)
    const before = process.cpuUsage().user
    for (let n = 0; n < 30; n++) robots.verdict(`bot${n}`, `/${'a'.repeat(2_000)}`)
    // Tried again for each robot, or with going back, this takes minutes.
    expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(5_000)
  })
  test('with one rule of half a million stars costs no more than its reading', () => {
    const before = process.cpuUsage().user
    for (const rule of ['*', '*a'].map((piece) => `/${piece.repeat(490_000 / piece.length)}`)) {
      const robots = parseRobots(`User-agent: *\nDisallow: ${rule}`)
      for (let n = 0; n < 2_000; n++) expect(robots.verdict('x', `/${n}`).allowed).toBe(rule.includes('a'))
    }
    expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000)
    const both = parseRobots('User-agent: *\nDisallow: /a**b***$\nAllow: /a*bc$')
    expect(['/axb', '/abc', '/ac'].map((path) => both.verdict('x', path).allowed)).toEqual([
      false,
      false,
      true,
    ])
  })
})
