import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainLook } from '../../../../core/web/frame/desk/look'
import { pageHeaders, renderPage } from '../../../../core/web/frame/page'
import { englishFrame } from '../../../../core/web/framework/language'
import { tokens } from '../../../../core/web/kit/style/tokens'

const host = { origin: 'https://renown.example.com' }

describe('a page', () => {
  test('on https tells browsers to come by https alone', () => {
    expect(pageHeaders(host.origin)['strict-transport-security']).toBe('max-age=31536000')
    expect(pageHeaders('http://localhost:3000')['strict-transport-security']).toBeUndefined()
  })

  test('escapes what strangers wrote, in its title too', async () => {
    const evil = '</title><script>alert(1)</script>'
    const html = await renderPage({ title: evil, host, children: evil }).text()
    expect(html).not.toContain('<script')
    expect(html.match(/&lt;script>/g)).toHaveLength(2)
  })

  test('never names where its forms may lead: consent ends at an app of somebody else', () => {
    expect(pageHeaders(host.origin)['content-security-policy']).not.toContain('form-action')
  })

  test('allows the few lines for Copy buttons by their digest, where it was asked for', async () => {
    const page = renderPage({ title: 'x', host, children: 'x', copies: true })
    const allowed = /script-src '(sha256-[^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1]
    const script = /<script>(.*?)<\/script>/s.exec(await page.text())?.[1] ?? ''
    expect(allowed).toBe(`sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}`)
  })

  test('on a white-label domain does not name the product', async () => {
    const frame = {
      brand: 'Agency & Sons',
      isWhiteLabel: true,
      look: plainLook,
      language: englishFrame,
      desk: null,
    }
    const html = await renderPage({ title: 'Sign in', host, frame, children: 'x' }).text()
    expect(html).toContain('Agency &amp; Sons')
    expect(html).not.toContain('Renown')
  })

  test('is rendered from wherever the product was started', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'renown-page-'))
    const module = join(import.meta.dir, '../../../../core/web/frame/page')
    const program = `const { renderPage } = await import(${JSON.stringify(module)})
      console.log(await renderPage({ title: 't', host: { origin: 'http://localhost' }, children: 'here' }).text())`
    const run = Bun.spawnSync([process.execPath, '-e', program], { cwd: elsewhere })
    rmSync(elsewhere, { recursive: true })
    expect(run.stderr.toString()).toBe('')
    expect(run.stdout.toString()).toContain('here</main>')
  })
})

describe('the colours', () => {
  const text: [string, string][] = [
    ...['paper', 'card', 'soft'].flatMap(
      (ground) =>
        [
          ['ink', ground],
          ['dim', ground],
          ['accent', ground],
        ] as [string, string][],
    ),
    ['on-accent', 'accent'],
    ['on-accent', 'accent-strong'],
    ['on-bad', 'bad'],
    ['on-bad', 'bad-strong'],
    ['bad', 'card'],
    ...['good', 'warn', 'bad'].flatMap(
      (tone) =>
        [
          [tone, `${tone}-soft`],
          ['ink', `${tone}-soft`],
        ] as [string, string][],
    ),
  ]
  for (const scheme of ['light', 'dark'] as const) {
    const colours: Readonly<Record<string, string>> = tokens[scheme]
    test.each(text)(`of the ${scheme} scheme can be read: %s on %s`, (front, back) => {
      expect(contrast(colours[front] ?? '', colours[back] ?? '')).toBeGreaterThanOrEqual(4.5)
    })
    test(`of the ${scheme} scheme show where a field and the focus are`, () => {
      for (const front of ['edge', 'accent', 'bad'])
        expect(contrast(colours[front] ?? '', colours.card ?? '')).toBeGreaterThanOrEqual(3)
    })
  }
})

/** WCAG 2.2: from 1 for the same colour to 21 for black on white. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const part = Number.parseInt(hex.slice(place, place + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
