import { describe, expect, test } from 'bun:test'
import { mayMove } from '../../../core/kit/states'
import { stateFaults } from '../../../core/registry/entity-checks'
import { Lead } from '../../../plugins/leads/records/Lead'
import { leadStages } from '../../../plugins/leads/records/leadStages'
import { shippedRegistry } from '../../support/shipped'

/** Written from the specification and the decisions on it: `*` begins a row, every other line is a move. */
const literals: Readonly<Record<string, string>> = {
  'Lead.stage': `* new
    new contacted | new qualified | new lost
    contacted qualified | contacted won | contacted lost | contacted new
    qualified won | qualified lost | qualified contacted
    lost contacted | won qualified`,
  'Mention.status': `* new
    new saved | new dismissed | new replied | saved new | saved replied | dismissed new | replied new`,
  'MentionReply.state': `* queued
    queued sending | queued cancelled | cancelled queued
    sending queued | sending sent | sending failed
    failed queued | failed sent`,
  'ReplyAttempt.outcome': `* calling
    calling published | calling rejected | calling unknown | calling held
    unknown published | unknown calling | unknown held | unknown rejected
    held published | held rejected`,
  'Post.status': `* draft
    draft scheduled | draft publishing | draft cancelled
    scheduled publishing | scheduled draft | scheduled cancelled
    publishing published | publishing failed
    failed scheduled | failed draft | failed published`,
  'PostApproval.state': `* open
    open approved | open rejected | open ended`,
  'PostAttempt.outcome': `* calling
    calling published | calling rejected | calling unknown | calling held
    unknown published | unknown calling | unknown held | unknown rejected
    held published | held rejected`,
  'Webhook.state': `* unverified
    unverified active | active paused | active disabled | paused active | disabled active`,
  'WebhookDelivery.state': `* pending
    pending delivered | pending failed | delivered pending | failed pending`,
  'EventSubscription.state': `* active
    active ended | ended active`,
  'Proposal.state': `* open
    open approved | open declined | open expired | open outdated
    approved queued | approved done | approved open | approved outdated | approved unknown
    queued done | queued failed | queued unknown
    unknown queued | unknown done | unknown failed | unknown outdated`,
  'WebhookAttempt.outcome': `* calling
    calling delivered | calling failed | calling unknown`,
  'Report.status': `* queued
    queued rendering | queued failed
    rendering completed | rendering failed | rendering queued`,
  'Report.mail_state': `* planned | * released
    planned held | planned released | planned cancelled
    held released | released held | cancelled released`,
  'ReportMail.state': `* queued
    queued sending | queued cancelled
    sending sent | sending failed | sending unknown | sending queued | sending cancelled
    failed queued | unknown queued | unknown sent | cancelled queued`,
  'ReportRecipient.state': `* pending | * confirmed
    pending confirmed | pending stopped | confirmed stopped | stopped pending`,
  'ProspectAudit.status': `* queued
    queued running | queued failed
    running completed | running failed | running queued`,
  'Review.auto_response_status': `* pending | * skipped
    pending sent | pending skipped | pending failed | sent failed`,
  'ReviewReply.state': `* queued
    queued sent | queued deleted | queued rejected | queued failed | queued cancelled
    sent queued | deleted queued | rejected queued | failed queued | cancelled queued`,
  'MailDelivery.state': `* queued
    queued sent | queued failed | queued cancelled`,
  'BusinessLocation.trial_state': `* trialing
    trialing converted | trialing ended`,
  'BusinessLocation.enrichment_status': `* pending
    pending success | pending partial | pending failed
    success pending | partial pending | failed pending`,
  'WhiteLabelDomain.state': `* pending
    pending verified | pending failed | failed verified
    verified lapsed | lapsed verified`,
  'VisibilityRun.status': `* ok | * no_answer | * error | * refused | * not_judged
    ok not_judged | not_judged ok`,
}

const { states, operations } = shippedRegistry()

test('the machines are these', () => {
  expect([...states.keys()].toSorted()).toEqual(Object.keys(literals).toSorted())
})

describe.each([...states])('%s', (name, machine) => {
  const allowed = new Set((literals[name] ?? '').split(/[|\n]/).map((line) => line.trim()))
  const all = Object.keys(machine.moves)
  const pairs = [null, ...all].flatMap((from) => all.map((to) => [from, to] as const))
  test.each(pairs)('%s → %s', (from, to) => {
    expect(mayMove(machine, from, to)).toBe(allowed.has(`${from ?? '*'} ${to}`))
  })
})

test('no operation takes a state to move to', () => {
  const movers = [...operations.values()].filter(({ name }) => /^(move|set(?!up)|change|update)/.test(name))
  expect(movers).toEqual([])
})

describe('A plugin with a state machine', () => {
  const faults = (changes: object) =>
    stateFaults('leads', { ...Lead, states: [{ ...leadStages, ...changes }] }).join('\n')
  test('has the states that the field takes, and no others', () => {
    expect(faults({ moves: { new: [], won: [] } })).toContain(
      'the states are new, won, but the field accepts new,',
    )
    expect(faults({ field: 'notes' })).toContain('accepts no list of values')
    expect(faults({ initial: [] })).toContain('no state is initial')
    expect(faults({ initial: ['fresh'] })).toContain('fresh is not a state')
  })
  test('stamps instants and names fields of its own entity', () => {
    expect(faults({ stamps: { every: 'notes' } })).toContain('sets notes, which is not a date field')
    expect(faults({ needs: { lost: ['reason'] } })).toContain('names reason, which is not a field')
    expect(faults({ entity: 'Review' })).toContain('states of Review.stage: they are listed in Lead')
  })
  test('has no fault where it fits', () => {
    expect(faults({})).toBe('')
  })
})
