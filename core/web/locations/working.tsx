/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'
import { Button, ButtonLink, Card, Facts, Row } from '../kit'
import type { Used } from './capacity'
import { surePath } from './location-deps'
import { ActForm, type Editing } from './outcome'
import { Day, type Location, Standing } from './standing'

interface WorkingProps {
  readonly of: Location
  /** Null where locations are not counted, or are not this person's to count. */
  readonly used: Used | null
  readonly editing: Editing | null
}

/** Whether it is worked on, its trial, and what an owner may do about both. */
export const Working = ({ of: location, used, editing }: WorkingProps) => (
  <Card title="State" about={meaningOf(location, used !== null)}>
    <Facts
      of={[
        [
          'State',
          <Row key="state">
            <Standing of={location} />
          </Row>,
        ],
        ...(used ? ([['Capacity', used.words]] as const) : []),
        ...(location.billing_exempt ? ([['Charge', 'free of charge, and not counted']] as const) : []),
        ...trialFacts(location),
      ]}
    />
    {editing && <Ways of={location} isFull={used?.isFull === true} editing={editing} />}
  </Card>
)

function meaningOf(location: Location, isCounted: boolean): string {
  const { is_prospect, is_active, trial_state, billing_exempt } = location
  if (is_prospect) return 'A prospect is pitched: it is looked at, and not worked on until it signs.'
  if (!is_active) return 'Nothing is read for it and nothing is answered. What was read stays.'
  if (trial_state === 'trialing') return 'It is worked on, outside of what is paid for, until the trial ends.'
  const worked = 'Its reviews and its profile are read.'
  return isCounted && !billing_exempt ? `${worked} It counts as a paid location.` : worked
}

function trialFacts(location: Location): (readonly [string, Children])[] {
  const { trial_state, trial_started_at, trial_end, trial_converted_at, trial_ended_at } = location
  if (!trial_state) return []
  const { trial_charge_amount: amount, trial_charge_interval: interval } = location
  const day = (name: string, at: string | undefined): (readonly [string, Children])[] =>
    at === undefined ? [] : [[name, <Day key={name} at={at} />]]
  return [
    ['Trial', trialWords[trial_state]],
    ...day('Trial began', trial_started_at),
    ...(trial_state === 'trialing' ? day('Trial ends', trial_end) : []),
    ...day('Became a paid location', trial_converted_at),
    ...(trial_state === 'ended' ? day('Trial ended', trial_ended_at ?? trial_end) : []),
    ...(amount === undefined || trial_state === 'ended'
      ? []
      : ([['Then', `${amount.toLocaleString('en')} a ${interval ?? 'month'}`]] as const)),
  ]
}

const trialWords = {
  trialing: 'running',
  converted: 'over: it is a paid location',
  ended: 'over: it ended without one',
} satisfies Record<NonNullable<Location['trial_state']>, string>

interface WaysProps {
  readonly of: Location
  readonly isFull: boolean
  readonly editing: Editing
}

function Ways({ of: location, isFull, editing }: WaysProps) {
  const { id, is_prospect, is_active, trial_state } = location
  const sure = (what: Sure) => `${surePath}?location=${encodeURIComponent(id)}&to=${what}`
  const mayTry = !is_active && !is_prospect && trial_state === undefined && isFull
  return (
    <Row>
      {is_prospect && (
        <ButtonLink href={sure('sign')} kind="primary">
          Sign this prospect
        </ButtonLink>
      )}
      {!is_prospect && !is_active && (
        <ActForm to="activate" of={editing} label="Activate" inline>
          <Button kind="plain">Activate it</Button>
        </ActForm>
      )}
      {mayTry && (
        <ActForm to="trial" of={editing} label="Start a trial" inline>
          <Button kind="plain">Start its trial</Button>
        </ActForm>
      )}
      {is_active && trial_state !== 'trialing' && (
        <ButtonLink href={sure('rest')} kind="quiet">
          Put it at rest
        </ButtonLink>
      )}
      {trial_state === 'trialing' && (
        <ButtonLink href={sure('cancel')} kind="quiet">
          Cancel the trial
        </ButtonLink>
      )}
    </Row>
  )
}

/** What is asked about first. */
export const sures = ['sign', 'rest', 'cancel'] as const
export type Sure = (typeof sures)[number]
