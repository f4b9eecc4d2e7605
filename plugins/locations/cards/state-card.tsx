/** @jsxImportSource renown/web */
import {
  Button,
  ButtonLink,
  Card,
  CardForm,
  type Children,
  Facts,
  Moment,
  type PageCardProps,
  Row,
} from 'renown/web'
import { confirmPath } from '../addresses'
import type { Used } from '../capacity'
import type { Location } from '../contract'
import type { Confirmed } from './confirmed'
import { ReviewRating } from './location-state'

/** The data of the card. */
export interface StateData {
  readonly location: Location
  /** Null if locations are not counted, or if the person may not see the count. */
  readonly used: Used | null
}

type Props = PageCardProps<StateData>

/** A card with the state and the trial of a location, and what an owner can change. */
export default function StateCard(card: Props) {
  const { location, used } = card.data
  return (
    <Card title="State" about={meaningOf(location, used !== null)}>
      <Facts
        of={[
          [
            'State',
            <Row key="state">
              <ReviewRating of={location} />
            </Row>,
          ],
          ...(used ? ([['Capacity', used.words]] as const) : []),
          ...(location.billing_exempt ? ([['Charge', 'free of charge, does not count']] as const) : []),
          ...trialFacts(location),
        ]}
      />
      {card.mayChange && <Ways {...card} />}
    </Card>
  )
}

function meaningOf(location: Location, isCounted: boolean): string {
  const { is_prospect, is_active, trial_state, billing_exempt } = location
  if (is_prospect) return 'You pitch to a prospect. Renown audits it. All other work starts when it signs.'
  if (!is_active) return 'Renown reads nothing and answers nothing for it. Its data stays.'
  if (trial_state === 'trialing') return 'Renown works for it without a paid location until the trial ends.'
  const worked = 'Renown reads its reviews and its profile.'
  return isCounted && !billing_exempt ? `${worked} It counts as a paid location.` : worked
}

function trialFacts(location: Location): (readonly [string, Children])[] {
  const { trial_state, trial_started_at, trial_end, trial_converted_at, trial_ended_at } = location
  if (!trial_state) return []
  const { trial_charge_amount: amount, trial_charge_interval: interval } = location
  const day = (name: string, at: string | undefined): (readonly [string, Children])[] =>
    at === undefined ? [] : [[name, <Moment key={name} at={at} isDay />]]
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
  converted: 'over, it is a paid location',
  ended: 'over, without a paid location',
} satisfies Record<NonNullable<Location['trial_state']>, string>

function Ways(card: Props) {
  const { location, used } = card.data
  const { id, is_prospect, is_active, trial_state } = location
  const asked = (what: Confirmed) => `${confirmPath}?location=${encodeURIComponent(id)}&to=${what}`
  const mayTry = !is_active && !is_prospect && trial_state === undefined && used?.isFull === true
  return (
    <Row>
      {is_prospect && (
        <ButtonLink href={asked('sign')} kind="primary">
          Sign this prospect
        </ButtonLink>
      )}
      {!is_prospect && !is_active && (
        <CardForm card={card} action="activate" label="Activate" inline>
          <Button kind="plain">Activate it</Button>
        </CardForm>
      )}
      {mayTry && (
        <CardForm card={card} action="trial" label="Start a trial" inline>
          <Button kind="plain">Start its trial</Button>
        </CardForm>
      )}
      {is_active && trial_state !== 'trialing' && (
        <ButtonLink href={asked('rest')} kind="quiet">
          Pause it
        </ButtonLink>
      )}
      {trial_state === 'trialing' && (
        <ButtonLink href={asked('cancel')} kind="quiet">
          Cancel the trial
        </ButtonLink>
      )}
    </Row>
  )
}
