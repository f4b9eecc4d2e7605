import { runCommand } from '../../contexts/run-command'
import { Refusal } from '../../contracts/errors'
import type { SignedIn } from '../define-page'
import type { Form } from '../forms'
import { asPerson } from '../parts/done-by'
import type { LocationDeps } from './location-deps'
import { profileFields } from './profile-fields'
import type { Location } from './standing'

/** What a form of a location's page does. */
export interface Act {
  /** Said once it is done. */
  readonly told: string
  /** The owner's command, and what it is given beside the location; none where there is nothing to do. */
  run(form: Form, location: Location): Asked | null
}

interface Asked {
  readonly command: string
  readonly input?: Readonly<Record<string, unknown>>
}

/** By the last word of the form's address. */
export const acts: Readonly<Record<string, Act>> = {
  profile: {
    told: 'The profile is saved.',
    run: (form, location) => update(changesOf(form, location)),
  },
  notes: {
    told: 'It is saved.',
    run: (form, { manual_notes }) => {
      const notes = linesOf(form.get('notes')).trim()
      return update({
        online_only: form.get('online_only'),
        ...(notes === (manual_notes ?? '') ? {} : { notes }),
      })
    },
  },
  replies: {
    told: 'Automatic replies are switched.',
    run: (form) => update({ auto_response: form.get('on') === 'on' ? 'on' : 'off' }),
  },
  refresh: {
    told: 'It is being read again, which takes a moment. What is known stays until then.',
    run: () => ({ command: 'enrichment refresh' }),
  },
  correct: {
    told: 'It is saved, and stands in place of what is read.',
    run: (form) => ({ command: 'enrichment override', input: correctionIn(form) }),
  },
  'take-back': {
    told: 'What is read holds again.',
    run: (form) => ({ command: 'enrichment override', input: { clear: [form.get('key')] } }),
  },
  audit: {
    told: 'The audit is under way.',
    run: (form) => ({
      command: 'prospect audit',
      input: form.get('again') === 'yes' ? { again: true } : {},
    }),
  },
  sign: {
    told: 'It is a client now.',
    run: (form) => ({ command: 'location sign', input: trialIn(form) }),
  },
  activate: {
    told: 'It is worked on again.',
    run: (form) => ({ command: 'location activate', input: trialIn(form) }),
  },
  rest: {
    told: 'It is at rest.',
    run: () => ({ command: 'location deactivate' }),
  },
  trial: {
    told: 'Its trial has begun.',
    run: () => ({ command: 'location trial start' }),
  },
  cancel: {
    told: 'The trial is over, and it is at rest.',
    run: () => ({ command: 'location trial cancel' }),
  },
}

/** Does what a form asks for, in the name of whoever sent it. */
export async function runAct(
  { commands, owner }: LocationDeps,
  visit: SignedIn,
  act: Act,
  location: Location,
): Promise<void> {
  const asked = act.run(visit.form, location)
  if (!asked) return
  const input = { location_id: location.id, ...asked.input }
  await runCommand({ commands, owner: asPerson(owner, visit) }, asked.command, input)
}

const update = (changes: Readonly<Record<string, unknown>>): Asked | null =>
  Object.keys(changes).length === 0 ? null : { command: 'location update', input: changes }

/** What was sent and differs from what stands: a field that was not touched is nobody's correction. */
const changesOf = (form: Form, location: Location) =>
  Object.fromEntries(
    profileFields.flatMap(([name]) => {
      if (!form.names().includes(name)) return []
      const typed = form.get(name).trim()
      return typed === (location[name] ?? '') ? [] : [[name, typed]]
    }),
  )

const trialIn = (form: Form) => (form.get('trial') === 'yes' ? { trial: true } : {})

/** Browsers send the ends of lines as two characters. */
const linesOf = (text: string) => text.replaceAll('\r\n', '\n')

function correctionIn(form: Form): Readonly<Record<string, unknown>> {
  const key = form.get('key')
  if (key === 'about') {
    const about = linesOf(form.get(key)).trim()
    if (about !== '') return { about }
    throw emptied(key, 'Enter a value, or remove your edit.')
  }
  if (key !== 'services' && key !== 'attributes') throw emptied('key', 'about, services or attributes')
  const lines = linesOf(form.get(key)).split('\n')
  return { [key]: [...new Set(lines.map((line) => line.trim()).filter(Boolean))] }
}

const emptied = (field: string, message: string) =>
  new Refusal('invalid_field', message, {
    errors: [{ pointer: `/${field}`, code: 'invalid_field', message }],
  })
