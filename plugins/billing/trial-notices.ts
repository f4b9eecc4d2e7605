import { dayIn, type News, type OwnerContext } from 'renown'
import { Workspace } from 'renown/records'
import { formatDay } from 'renown/web'
import { type Capacity, countOf, overBy } from './capacity'
import type { BillingLocation } from './location'

type Told = Pick<News, 'severity' | 'title' | 'body'>

/** Notifies people once that a location's trial started or ended. */
export async function notifyTrial(
  ctx: OwnerContext,
  location: BillingLocation,
  capacity: Capacity,
): Promise<void> {
  const { trial_state } = location
  if (trial_state === undefined) return
  const news = { trialing: began, converted, ended: over } as const
  const kind = { trialing: 'trial_started', converted: 'trial_converted', ended: 'trial_ended' } as const
  await tell(
    ctx,
    location,
    kind[trial_state],
    news[trial_state](location, capacity, await zoneOf(ctx, location)),
  )
}

/** Notifies people once that a trial will soon end, and what happens then. */
export async function notifyEnding(
  ctx: OwnerContext,
  location: BillingLocation,
  capacity: Capacity,
): Promise<void> {
  const day = dayOf(location.trial_end, await zoneOf(ctx, location))
  await tell(ctx, location, 'trial_ending', {
    severity: 'warning',
    title: `The trial of ${location.business_name} ends on ${day}`,
    body: `${then(capacity.agency)} ${numbers(capacity)} To end it without a paid location: \`location trial cancel ${location.id}\`.`,
  })
}

const tell = (
  ctx: OwnerContext,
  { id, workspace_id }: BillingLocation,
  type: string,
  told: Told,
): Promise<void> => {
  const about = { workspace_id, location_id: id, entity: 'BusinessLocation', entity_id: id }
  return ctx.notify({ ...about, type, ...told, once: `${type} ${id}` })
}

const began = ({ business_name, trial_end }: BillingLocation, { agency }: Capacity, zone: string): Told => ({
  severity: 'info',
  title: `${business_name} is on trial until ${dayOf(trial_end, zone)}`,
  body: `It was added beyond the locations that are paid for, and counts as none of them until then. ${then(agency)}`,
})

const converted = ({ business_name, billing_exempt }: BillingLocation, capacity: Capacity): Told => {
  const beyond = overBy(capacity)
  const { agency, used } = capacity
  const remedy =
    beyond === 0
      ? ''
      : ` That is ${beyond} more than are paid for: pay for more (\`agency capacity set ${agency.id} --paid ${used}\`) or deactivate some.`
  return {
    severity: beyond === 0 ? 'info' : 'warning',
    title: `The trial of ${business_name} is over: it goes on as a ${billing_exempt ? 'free' : 'paid'} location`,
    body: `${chargeOf(agency)}${numbers(capacity)}${remedy}`.trim(),
  }
}

const over = ({ id, business_name }: BillingLocation, capacity: Capacity): Told => ({
  severity: 'warning',
  title: `The trial of ${business_name} is over: it was deactivated`,
  body: `Nothing of it was removed, and it cannot be on trial again. ${numbers(capacity)} \`location activate ${id}\` resumes it if a paid location is free.`,
})

type Policy = Pick<Capacity['agency'], 'trials' | 'location_charge_amount' | 'location_charge_interval'>

/** Describes what happens when the trial ends. */
const then = (agency: Policy): string =>
  agency.trials === 'end'
    ? 'Then it is deactivated; nothing of it is removed.'
    : `Then it goes on as a paid location. ${chargeOf(agency)}`.trim()

/**
 * Describes what the agency charges now. The price on the location, from the start of the trial, is only for display.
 */
const chargeOf = ({
  location_charge_amount: amount,
  location_charge_interval: interval = 'month',
}: Policy) => (amount === undefined ? '' : `A location beyond paid capacity costs ${amount} a ${interval}. `)

const numbers = ({ paid, used }: Capacity): string =>
  paid === null
    ? `${countOf(used)} in use; the agency's capacity is not counted.`
    : `${countOf(used)} in use, ${paid} paid for.`

const zoneOf = async (ctx: OwnerContext, { workspace_id }: BillingLocation): Promise<string> =>
  (await ctx.rows(Workspace).get(workspace_id))?.timezone ?? 'UTC'

const dayOf = (instant: string | undefined, zone: string) =>
  instant === undefined ? 'a day unknown' : formatDay(dayIn(zone, new Date(instant)))
