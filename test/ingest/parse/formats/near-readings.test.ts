import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { nearMisses } from '../../support/near-misses'
import { now, readLines } from '../../support/read-hits'

/**
 * How every text one character away from a sender's text is read, as digests by the place of the character: what was
 * read through once stays as it was. Where a reading changes on purpose, `RENOWN_GOLDEN=write` writes the digests anew:
 * look first at the texts that the failure names.
 */
const path = join(import.meta.dir, 'near-readings.json')
const isWriting = process.env.RENOWN_GOLDEN === 'write'
const known: Record<string, string> = isWriting ? {} : await Bun.file(path).json()
const found: Record<string, string> = {}
afterAll(async () => {
  if (isWriting) await Bun.write(path, `${JSON.stringify(found, null, 2)}\n`)
})

const folder = new URL('./fixtures/', import.meta.url)
/** The first record of what each program writes, with a short user agent. */
async function firstOf(name: string, lines = 1): Promise<string> {
  const text = await Bun.file(new URL(`${name}.txt`, folder)).text()
  const first = text.split('\n').slice(0, lines).join('\n')
  return first.replaceAll(/Mozilla[^"\t]*?gptbot\)/g, 'GPTBot/1.3')
}

const time = '[20/Nov/2026:16:42:52 +0000]'
const request = `192.0.2.7 - - ${time} "GET /a?b=1 HTTP/1.1" 200 5 "-" "GPTBot/1.3"`
const texts = [
  `${request} id=abcdefgh`,
  `shop.example:443 192.0.2.7 - bob ${time} "POST /a HTTP/1.1" 404 - "https://a.example/" "GPT\\"Bot\\\\" "x"`,
  `2001:db8::7 - [a] b ${time} "GET /\\x22 HTTP/2.0" 301 0 "" "-"`,
  `- - - [20/Nov/2026:16:42:52] "HEAD http://b.example/c" 99`,
  `<190>Nov 20 19:22:56 web1 nginx[7]: ${request}`,
  `Nov  2 19:22:56 nginx: ${request}`,
  `2026-11-20T19:22:56.5Z web1 nginx:  ${request}`,
  `<190>1 2026-11-20T19:22:56Z web1 nginx 7 - [a@1 b="]\\""][c d="e"] \ufeff${request}`,
  `<190>1 - - - - - - ${request}`,
  '#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent)\n2026-11-20\t19:22:55\t192.0.2.7\tGET\t/a\t200\tGPT%20Bot',
  '#Fields: c-ip cs-uri-stem cs(User-Agent)\n192.0.2.7 /a GPT+Bot\n192.0.2.8 "/b" -',
  '{"ts":1795192972,"ip":"192.0.2.7","path":"/a","ua":"GPTBot/1.3","status":200}{"path":"/b","ua":"x"}',
  '[{"ts":"2026-11-20T16:42:52Z","path":"/a","ua":"GPTBot/1.3"},{"path":"/b","ua":"x"}]',
  '[\n{"path":"/a","ua":"x"},\n{"path":"/b","ua":"y"}\n]',
  '{"records":[{"path":"/a","ua":"x"},{"path":"/b","ua":"\\u00e9\\n"}],"x":{"y":[1,"}"]}}',
  '{\n  "path": "/a",\n  "ua": "x"\n}\n{\n  "path": "/b",\n  "ua": "y"\n}',
  `{"message":"${request.replaceAll('"', '\\"')}","host":"web1"}`,
  `{"log":"{\\"path\\":\\"/a\\",\\"ua\\":\\"x\\"}\\n"}`,
  '{"path":"/a","ua":"caf\\xe9","status":200}',
  '{"path":"/a","ua":"say "hi"","status":200}',
  `${request}\n\n{"path":"/b","ua":"x"}\r\nnoise`,
]
const files =
  'apache-id apache-json caddy haproxy haproxy-json nginx-json nginx-vhost syslog-ng-plain syslog-ng-wrapped'
const documented =
  'akamai cloudflare cloudfront-real-time fastly fluent-bit netlify rsyslog traefik vector vercel known-agents'
for (const name of files.split(' ')) texts.push(await firstOf(name))
for (const name of documented.split(' ')) texts.push((await firstOf(`documented/${name}`)).slice(0, 700))
texts.push(await firstOf('documented/cloudfront', 3), (await firstOf('documented/firehose')).slice(0, 500))

const characters = '"\\[]{}:,- \t\n0x'

/** What is read from the texts that are spoiled at a place. Within a word, one place is like the next. */
function readAt(text: string, at: number): (readonly [string, unknown])[] {
  if (/^[A-Za-z]{3}$/.test(text.slice(at - 1, at + 2))) return []
  const spoiled = [...nearMisses(text.slice(at, at + 1), characters)].slice(at === 0 ? 0 : 1)
  return spoiled.map((middle) => {
    const whole = text.slice(0, at) + middle + text.slice(at + 1)
    return [whole, readLines(whole, now)]
  })
}

for (const [index, text] of texts.entries())
  test(`every text one character away from ${text.slice(0, 60).replaceAll('\n', ' ')} is read as before`, () => {
    const digests: string[] = []
    const before = known[`${index} ${text}`]?.split(' ') ?? []
    const changed: unknown[] = []
    for (let at = 0; at < text.length; at++) {
      const readings = readAt(text, at)
      digests.push(Bun.hash(JSON.stringify(readings)).toString(36).slice(-3))
      if (digests[at] !== before[at]) changed.push(...readings)
    }
    found[`${index} ${text}`] = digests.join(' ')
    if (!isWriting) expect(changed.slice(0, 20)).toEqual([])
  })
