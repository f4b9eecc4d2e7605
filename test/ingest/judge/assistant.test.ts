import { describe, expect, test } from 'bun:test'
import { assistants } from '../../../ingest/data/assistants'
import { assistantOf, beaconLists, hostKey } from '../../../ingest/judge/assistant'

const from = (referrer: string) => {
  const found = assistantOf({ referrer })
  return found === null ? null : found.host
}

describe('a referrer', () => {
  test('on a host of an assistant, or below it, is that assistant', () => {
    expect(assistantOf({ referrer: 'https://chatgpt.com/' })).toEqual({
      host: 'chatgpt.com',
      name: 'ChatGPT',
    })
    expect(from('https://www.perplexity.ai/search?q=x')).toBe('perplexity.ai')
    expect(from('http://LABS.Perplexity.AI.:8443/')).toBe('perplexity.ai')
    expect(from('https://chat.openai.com/')).toBe('chat.openai.com')
    expect(from('claude.ai')).toBe('claude.ai')
    for (const host of ['qwen.ai', 'z.ai', 'tongyi.com', 'lumo.proton.me', 'aistudio.google.com'])
      expect(from(`https://${host}/c/1`)).toBe(host)
    for (const host of ['proton.me', 'xz.ai', 'google.com', 'tongyi.com.evil.example'])
      expect(from(`https://${host}/`)).toBeNull()
  })

  test('that only looks like one is nobody', () => {
    for (const host of [
      'evilchatgpt.com',
      'chatgpt.com.evil.example',
      'thankyou.com',
      'notclaude.ai',
      'xx.ai',
      'ai',
    ])
      expect(from(`https://${host}/`)).toBeNull()
    expect(from('https://evil.example/?u=https://chatgpt.com/')).toBeNull()
    expect(from('https://chatgpt.com@evil.example/')).toBeNull()
    expect(from('javascript:alert(1)//chatgpt.com')).toBeNull()
    expect(from('https://[')).toBeNull()
  })

  test('on a host that also does other things needs its path', () => {
    expect(from('https://x.com/')).toBeNull()
    expect(from('https://x.com/i/grok')).toBe('x.com')
    expect(from('https://x.com/i/grok/share/1')).toBe('x.com')
    expect(from('https://x.com/i/groksters')).toBeNull()
    expect(from('https://www.bing.com/search?q=chat')).toBeNull()
    expect(from('https://www.bing.com/chat?q=1')).toBe('bing.com')
    expect(from('https://duckduckgo.com/?q=x&ia=chat')).toBe('duckduckgo.com')
    expect(from('https://duckduckgo.com/?q=x&ia=web')).toBeNull()
    expect(from('https://duckduckgo.com/?ia=chat')).toBe('duckduckgo.com')
    expect(from('https://duckduckgo.com/?xia=chat')).toBeNull()
    expect(from('https://www.google.com/')).toBeNull()
  })

  test('of an Android app is its package', () => {
    expect(from('android-app://com.openai.chatgpt/')).toBe('chatgpt.com')
    expect(from('android-app://COM.OpenAI.ChatGPT/')).toBe('chatgpt.com')
    expect(assistantOf({ referrer: 'android-app://com.reddit.frontpage/' })).toBeNull()
    expect(assistantOf({ referrer: 'android-app://chatgpt.com/' })).toBeNull()
  })

  test('must be a web page or an Android app', () => {
    for (const scheme of ['ftp', 'ios-app', 'file', 'ws', 'httpsx']) {
      expect(assistantOf({ referrer: `${scheme}://chatgpt.com/` })).toBeNull()
      expect(assistantOf({ referrer: `${scheme}://x.com/i/grok` })).toBeNull()
    }
    expect(assistantOf({ referrer: 'http://x.com/i/grok' })).toEqual({ host: 'x.com', name: 'Grok' })
  })

  test('has a host of at most 253 characters', () => {
    const long = (length: number) => {
      const host = `${'a.'.repeat(length)}chatgpt.com`
      return assistantOf({ referrer: `https://${host.slice(-length)}/` })
    }
    expect(long(253)).toEqual({ host: 'chatgpt.com', name: 'ChatGPT' })
    expect(long(254)).toBeNull()
  })
})

describe('utm_source', () => {
  test('counts without a referrer', () => {
    expect(assistantOf({ utmSource: 'chatgpt.com' })?.host).toBe('chatgpt.com')
    expect(assistantOf({ utmSource: ' OpenAI ' })?.host).toBe('chatgpt.com')
    expect(assistantOf({ referrer: '', utmSource: 'perplexity' })?.host).toBe('perplexity.ai')
    expect(assistantOf({ referrer: null, utmSource: 'newsletter' })).toBeNull()
    expect(assistantOf({ utmSource: 'www.ChatGPT.com:443' })?.name).toBe('ChatGPT')
    expect(assistantOf({ utmSource: null, ua: null })).toBeNull()
    expect(assistantOf({})).toBeNull()
  })

  test('does not count beside the referrer of somebody else', () => {
    expect(assistantOf({ referrer: 'https://github.com/', utmSource: 'chatgpt.com' })).toBeNull()
    expect(assistantOf({ referrer: 'https://claude.ai/', utmSource: 'chatgpt.com' })?.host).toBe('claude.ai')
  })
})

describe('the browser inside an app', () => {
  const base = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36'
  test('counts without a referrer and without a utm_source', () => {
    expect(assistantOf({ ua: `${base} GrokApp/1.3.92` })?.host).toBe('grok.com')
    expect(assistantOf({ ua: 'grokAPP/1' })).toEqual({ host: 'grok.com', name: 'Grok' })
    expect(assistantOf({ ua: '' })).toBeNull()
    expect(assistantOf({ ua: `${base} CopilotSapphire/1.0.5` })?.name).toBe('Copilot')
    expect(assistantOf({ ua: `${base} GrokApp/1.3.92`, referrer: 'https://example.com/' })).toBeNull()
  })
  test('is not guessed from other browsers', () => {
    for (const ua of [
      base,
      `${base} BingSapphire/2`,
      `${base} Atlas/1.0`,
      `${base} NotKimi/2`,
      `${base} Kimiko/2`,
    ])
      expect(assistantOf({ ua })).toBeNull()
  })
})

test('the lists of the beacon script find what the ingest finds', () => {
  for (const host of beaconLists.hosts) expect(from(`https://${host}/`)).toBe(host)
  for (const part of beaconLists.parts)
    expect(from(`https://${part}`)).toBe(hostKey(part.split(/[/?]/)[0] ?? ''))
  for (const app of beaconLists.packages) expect(from(`android-app://${app}/`)).not.toBeNull()
  for (const source of beaconLists.utm) expect(assistantOf({ utmSource: source })).not.toBeNull()
  expect(beaconLists.utm).not.toContain('chatgpt.com')
  const all = assistants.flatMap((row) => row.hosts)
  expect(new Set(all).size).toBe(all.length)
  for (const host of all) expect(hostKey(host)).toBe(host)
})

test('the lists of the beacon script are those of the registry', () => {
  const hosts = assistants.flatMap((row) => row.hosts)
  expect(beaconLists).toEqual({
    hosts,
    parts: assistants.flatMap((row) => row.parts ?? []),
    packages: assistants.flatMap((row) => row.android ?? []),
    utm: assistants.flatMap((row) => row.utm ?? []).filter((source) => !hosts.includes(source)),
    markers: assistants.flatMap((row) => (row.markers ?? []).map((token) => token.toLowerCase())),
  })
  for (const list of Object.values(beaconLists)) expect(list.length).toBeGreaterThan(0)
})

test('an assistant that leaves traces without a host has one', () => {
  for (const { name, hosts, utm = [], android = [], markers = [] } of assistants)
    if ([...utm, ...android, ...markers].length > 0)
      expect([name, hosts[0]]).toEqual([name, expect.any(String)])
})

test('every host is a key without www, port or trailing dot', () => {
  expect(hostKey('WWW.Example.COM.:443')).toBe('example.com')
  expect(hostKey('example.com')).toBe('example.com')
  expect(hostKey('example.com:')).toBe('example.com')
  for (const host of ['a.www.example.com', 'www', 'a:1b.example', 'wwwexample.com'])
    expect(hostKey(host)).toBe(host)
})

test('a user agent is read to 1,024 characters for the mark of an app', () => {
  const marked = (before: number) => assistantOf({ ua: `${' '.repeat(before)}GrokApp/1.0` })?.name
  expect(marked(1024 - 'GrokApp/1'.length)).toBe('Grok')
  expect(marked(1025 - 'GrokApp/1'.length)).toBeUndefined()
})
