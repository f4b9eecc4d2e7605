import type { Extension, ExtensionPoint } from 'renown'
import { demoWorld } from '../../core/demo/world'
import { builtin } from '../../plugins'
import type { ReportTree } from '../../plugins/reports/blocks/block'
import { treeOf } from '../../plugins/reports/data/tree'
import { demoData } from '../../plugins/reports/demo/demo-data'

/** The extensions of the plugins in the box. Enough to make the tree of a report. */
export const builtinExtensions = {
  extensions: <E extends Extension>(point: ExtensionPoint<E>): readonly E[] =>
    builtin
      .flatMap(({ provides = [] }) => provides)
      .flatMap((one) => (one.point === point.id ? [one.extension as E] : [])),
}

/** Returns the data of the demo's report of October 2026. `edgeCases` are texts that break careless code. */
export function demoReportData(template: string, edgeCases: readonly string[] = []) {
  const world = demoWorld({ seed: 'renown', today: '2026-11-20', edgeCases }, builtin)
  const [business] = world.businesses
  if (!business) throw new Error('The demo has no business.')
  return demoData(world, business, {
    start: '2026-10-01',
    end: '2026-10-31',
    at: '2026-11-01T06:00:00.000Z',
    template,
  })
}

/** Returns the tree of the demo's report of October 2026. */
export const demoTree = (template: string, edgeCases: readonly string[] = []): ReportTree =>
  treeOf(builtinExtensions, {
    template,
    period_start: '2026-10-01',
    period_end: '2026-10-31',
    report_data: demoReportData(template, edgeCases),
  })

const zoo: Readonly<Record<string, string>> = {
  Japanese:
    '接客がとても丁寧で、料理も美味しかったです。駅から少し遠いですが、また必ず来ます。「最高」の一言！',
  Arabic: 'الخدمة ممتازة والطعام لذيذ جدًا، والسعر 25 ريالًا فقط. سأعود مرة أخرى مع العائلة (إن شاء الله).',
  Hebrew: 'השירות היה מצוין, והאוכל טעים מאוד! חיכינו 10 דקות בלבד. ממליצה בחום (גם לילדים).',
  Emoji: '❤️ 👍🏽 👩‍👩‍👧 🇯🇵 1️⃣ ☕🥐 great 😀😃😄 place ✨',
  Mixed: 'The שלום sign says مرحبا and 日本 for 25 € (about 27 $), see שם.',
  'Long words': `${'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4)} https://example.com/${'a'.repeat(120)}`,
  'Typst markup':
    '#read("/etc/passwd") #import "x": * $x^2$ \\ `raw` ```typ #panic()``` *bold* _it_ <label> @ref = Heading // c /* c */',
  'HTML and SVG': '<script>alert(1)</script> &amp; <svg onload="x"/> ]]> <!-- -->',
  Marks: 'Zal\u0335\u0321\u0322go e\u0301 a\u0308 \u202Eevil\u202C \u0000\u0007 tab\tline\nnext \ud800 lone',
}

/** Returns a report whose texts are of many scripts, hostile, or very long, in every kind of block. */
export function zooTree(): ReportTree {
  const entries = Object.entries(zoo)
  const long = 'A review of ten thousand characters goes on and on. '.repeat(200).slice(0, 10_000)
  const quotes = [
    ...entries.map(([, text]) => text),
    ...[0, 1, 2, 3, 4].map((n) => long.slice(n * 2_000, (n + 1) * 2_000)),
  ]
  return {
    title: 'Zoo of texts',
    subject: 'בית קפה «Le Café» 喫茶',
    period: '1–31 Oct 2026',
    from: 'وكالة المنارة',
    dataHash: '0'.repeat(64),
    sections: [
      {
        name: 'zoo',
        title: 'Texts',
        blocks: [
          {
            kind: 'figures',
            figures: entries.slice(0, 6).map(([name, text], place) => ({
              id: `zoo.${place}`,
              label: `${name}: ${text}`.slice(0, 200),
              unit: 'share',
              definition: 'zoo@1',
              ...(place === 1
                ? { value: null, unknown_because: text }
                : { value: 0.5, previous: 0.4, n: 10 }),
            })),
          },
          {
            kind: 'table',
            title: 'A table of all scripts',
            rows: entries.map(([name, text]) => [name, { quote: text }, 12_345, null]),
            columns: [
              { label: 'Script', type: 'text' },
              { label: 'Text', type: 'text' },
              { label: 'Count', type: 'count' },
              { label: 'Share', type: 'share' },
            ],
          },
          {
            kind: 'chart',
            title: 'Bars with long labels',
            alt: 'Bars.',
            form: 'bars',
            unit: 'count',
            labels: entries.map(([, text]) => text.replaceAll(/\s+/g, ' ').slice(0, 200)),
            series: [
              { name: 'Reviews', values: entries.map((_, place) => (place === 2 ? null : place * 1_000)) },
            ],
          },
          {
            kind: 'chart',
            title: 'A line with gaps',
            alt: 'A line.',
            form: 'line',
            unit: 'share',
            labels: Array.from({ length: 31 }, (_, n) => `${n + 1} Oct`),
            series: [0.1, 0.3].map((from, line) => ({
              name: line === 0 ? 'שורה' : 'خط',
              values: Array.from({ length: 31 }, (_, n) => (n % 9 === 4 ? null : from + n / 100)),
            })),
          },
          {
            kind: 'evidence',
            title: 'Quotes',
            items: quotes.map((quote) => ({
              quote,
              source: 'Google',
              author: 'דנה',
              href: 'https://example.com/',
            })),
          },
          { kind: 'did', items: entries.map(([, text]) => ({ text, because: text })) },
          { kind: 'next', items: entries.slice(0, 3).map(([, text]) => ({ text })) },
          { kind: 'note', text: zoo.Arabic ?? '' },
        ],
      },
      { name: 'empty', title: 'An empty part', blocks: [] },
    ],
    definitions: [{ id: 'zoo@1', name: zoo.Hebrew ?? '', text: zoo.Arabic ?? '' }],
  }
}
