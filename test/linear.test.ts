import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { judge } from './support/regex/judge'
import { patternsIn, patternsOf, sourcesIn } from './support/regex/patterns-in'

const root = join(import.meta.dir, '..')
const folders = ['core', 'ingest', 'plugins', 'ship', 'examples', 'conformance']
const found = patternsIn(root, folders)

/** Patterns that are made while the product runs, and why each is linear. A new one needs a line here. */
const made: Readonly<Record<string, string>> = {
  'core/drafts/calendar.ts': 'words of a list, without a loop',
  'core/drafts/stated-facts.ts': 'words of a list, with at most 30 characters before and after them',
  'core/kit/shown-domain.ts': 'names of scripts, one class with one quantifier',
  'core/mcp/response-templates.ts': 'three constants',
  'core/query/text-match.ts': 'one character',
  'core/requests/host.ts': 'constants without a loop',
  'core/stores/documents/sqlite/functions.ts':
    'a text of at most 128 characters taken literally, made by text-match',
  'ingest/judge/assistant.ts': 'names of the list of assistants, without a loop',
  'plugins/enrichment/website/site-links.ts': 'words of a list, without a loop',
  'plugins/reports/pdf/clean-text.ts': 'one class with one quantifier',
  'plugins/reviews/writing/judgeReply.ts': 'the words of a name with spaces between them',
  'plugins/reviews/writing/reply-tokens.ts': 'one class with one quantifier',
  'plugins/visibility/detection/names.ts': 'the words of a name with one class between them',
}

describe('every regular expression', () => {
  test('takes work in step with the text, whatever the text is', () => {
    const slow = found.flatMap(({ file, line, text, pattern }) => {
      const judgement = pattern ? judge(pattern) : 'linear'
      return judgement === 'linear' ? [] : [`${file}:${line} ${text} is ${judgement}`]
    })
    // Bound a quantifier ({1,64} for +), anchor the pattern, or read the text by hand.
    expect(slow).toEqual([])
    expect(found.length).toBeGreaterThan(300)
  }, 120_000)

  test('that is made while the product runs is known', () => {
    const files = new Set(found.flatMap(({ file, pattern }) => (pattern ? [] : [file])))
    expect([...files].sort()).toEqual(Object.keys(made).sort())
  })

  test('is found wherever it stands', () => {
    const source = [
      'const a = /x+/g',
      'text.replace(/y/, "")',
      'const C = () => <p title={String(/z/)}>{/not one/}</p>',
      'new RegExp(a)',
      'RegExp("b")',
      '// /c/',
      'const d = 4 / 2 / 1',
    ].join('\n')
    const texts = patternsOf('a.tsx', source).map(({ line, text }) => `${line} ${text}`)
    expect(texts).toEqual(['1 /x+/g', '2 /y/', '3 /z/', '3 /not one/', '4 new RegExp(a)', '5 RegExp("b")'])
  })
})

/** Where `JSON.parse` reads what we wrote ourselves, or what is bounded already. Everything else passes `parseJson`. */
const ownJson: Readonly<Record<string, string>> = {
  'conformance/connection.ts': 'an answer of at most 16 MiB, in a program of its own',
  'conformance/samples.ts': 'a part of such an answer',
  'core/cli/data/data-import.ts': "lines of the owner's own export",
  'core/cli/declared.ts': 'what the owner types',
  'core/transfer/check-process.ts': 'what a process of ours prints',
  'core/cli/import/import-state.ts': 'a file of ours',
  'core/cli/link.ts': 'parts that the product sends over its own socket',
  'core/cli/print/line-writer.ts': 'a line of our own log',
  'core/contracts/bounded-json.ts': 'after the bounds are checked',
  'core/process/data-folder.ts': 'a file of ours',
  'core/kit/faults.ts': 'values of our own schemas',
  'core/http/entities.ts': 'a filter that was parsed with bounds right before',
  'core/http/idempotency.ts': 'an answer of ours',
  'core/registry/own-modules.ts': 'the package.json of Renown',
  'core/registry/plugin-origin.ts': 'the package.json of an installed plugin',
  'core/mcp/record-lists.ts': 'rows of ours',
  'core/mcp/record-tools.ts': 'rows of ours',
  'core/mcp/schema.ts': 'a schema of ours',
  'core/stores/columns/rows.ts': 'rows of ours',
  'core/stores/documents/sqlite/layout.ts': 'rows of ours',
  'core/stores/documents/sums/month-cache.ts': 'sums of ours',
  'core/transfer/import-lines.ts': "lines of the owner's own export",
  'core/web/framework/app-pages.tsx': 'what was printed right before',
  'core/web/kit/browser/live.ts': 'what our own server sends',
  'core/web/kit/client/mount.tsx': 'what our own server printed',
  'ingest/count/claims.ts': 'an answer of our own gateway',
  'ingest/count/new-agents.ts': 'a file that the ingest wrote',
  'ingest/parse/formats/readings.ts': 'a record of at most 8 KiB',
  'ingest/flush/waiting-block.ts': 'a file that the ingest wrote',
  'ingest/judge/range-state.ts': 'a file of ours',
  'ingest/judge/signature/key-state.ts': 'a file that the ingest wrote',
  'ingest/sites/sites.ts': 'an answer of our own gateway',
  'plugins/reviews/pages/loadReview.ts': 'values that were printed right before',
  'plugins/traffic/sites/handOver.ts': 'a row of ours',
  'ship/state.ts': 'a row of ours',
}

test('JSON from outside is parsed within bounds', () => {
  const files = sourcesIn(root, folders).flatMap(({ file, source }) =>
    source.split('\n').some((line) => line.includes('JSON.parse(') && !/^\s*(?:\*|\/\/)/.test(line))
      ? [file]
      : [],
  )
  // A new file parses with `parseJson` of the contracts, or says here whose JSON it reads.
  expect(files.sort()).toEqual(Object.keys(ownJson).sort())
})
