/** @jsxImportSource ../../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { defineAct, field, shownActs } from '../../../../../core/kit'
import type { Outcome } from '../../../../../core/web/kit/browser/page-props'
import { renderToString } from '../../../../../core/web/kit/jsx/render'
import { ActForm } from '../../../../../core/web/kit/parts/act-form'
import { Note } from '../../../../support/notes-plugin'

const on = { entity: Note, field: 'note_id', called: 'note' } as const
const run = async () => ({ answer: {} })
const acts = shownActs({
  tag: defineAct({
    name: 'note tag',
    summary: 'Tag a note',
    on,
    fields: {
      reason: field.text('Why'),
      stars: v.optional(field.integer('Stars')),
      tone: field.oneOf(['loud', 'calm'], 'Tone'),
      tell: v.optional(field.flag('Tell people'), false),
    },
    label: 'Tag note',
    done: 'Note tagged.',
    run,
  }),
  hold: defineAct({ name: 'note hold', summary: 'Hold', on, label: 'Hold note', done: 'Held.', run }),
  remove: defineAct({
    name: 'note remove',
    summary: 'Remove',
    on,
    label: 'Remove note',
    done: 'Removed.',
    question: 'Remove it?',
    run,
  }),
})

const shown = (name: keyof typeof acts, more: object = {}, outcome: Outcome | null = null) =>
  renderToString(
    <ActForm
      of={acts[name]}
      path="/app/notes"
      csrf="c"
      hidden={{ note: 'not_1', ...more }}
      outcome={outcome}
    />,
  )

describe('the form of an act on a page', () => {
  test('is a button where nothing is asked', () => {
    const html = shown('hold')
    expect(html).toContain('action="/app/notes/hold"')
    expect(html).toContain('name="note" value="not_1"')
    expect(html).toContain('>Hold note</button>')
  })

  test('has a control for each field, by its kind', () => {
    const html = shown('tag')
    expect(html.match(/<(?:input|select)[^>]* name="(reason|stars|tone|tell)"/g)).toHaveLength(4)
    expect(html).toContain('<option value="calm"')
    expect(html).toContain('Stars<span class="optional"> (optional)</span>')
  })

  test('asks for no field that is decided already', () => {
    expect(shown('tag', { tone: 'calm' })).toContain('type="hidden" name="tone" value="calm"')
    expect(shown('tag', { tone: 'calm' })).not.toContain('<select')
  })

  test('shows what was typed, and what is wrong with it, after this act alone', () => {
    const outcome = {
      action: 'tag',
      ok: false,
      values: { reason: 'typed', tell: 'yes' },
      faults: { reason: 'Too short.' },
    }
    expect(shown('tag', {}, outcome)).toContain('value="typed"')
    expect(shown('tag', {}, outcome)).toContain('Too short.')
    expect(shown('tag', {}, { ...outcome, action: 'hold' })).not.toContain('Too short.')
  })

  test('asks its question before the button', () => {
    const html = shown('remove')
    expect(html).toStartWith('<details')
    expect(html.indexOf('Remove it?')).toBeLessThan(html.indexOf('>Remove note</button>'))
    expect(html).toContain('button danger')
  })
})
