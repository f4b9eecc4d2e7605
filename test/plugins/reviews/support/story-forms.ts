import * as v from 'valibot'
import type { ActionContext, AnyAction } from '../../../../core/contracts/page'
import { where } from '../../../../core/contracts/where'
import { sendDraft } from '../../../../plugins/reviews/cards/send-draft'
import { approvePage } from '../../../../plugins/reviews/pages/approve-page'
import { reviewActions, reviewNotices } from '../../../../plugins/reviews/pages/reviewActions'
import { rulesPage } from '../../../../plugins/reviews/pages/rules-page'
import { Review } from '../../../../plugins/reviews/records/Review'
import { idOf, type Part, put, type World } from './story-hand'

/** Runs work as the actions of pages do; throws when it ends before one of its calls. */
function asPerson<T>(world: World, run: (ctx: ActionContext) => Promise<T>): Promise<T> {
  const read = world.bench.read(world.workspace_id)
  const workspace = { ...read.workspace, agency_id: world.agency_id }
  const person = { id: 'usr_1', agency_id: world.agency_id, role: 'owner' }
  return world.asJob((owner) =>
    run({ ...read, rows: owner.rows, workspace, person, system: owner, owner, isDemo: false } as never),
  )
}

/** Sends the form of an action. The answer says whether the page has a notice for it. */
const send = (world: World, action: AnyAction | undefined, form: object) => async () => {
  if (!action) throw new Error('no such action')
  const answer = await asPerson(world, (ctx) => action.run(ctx, v.parse(action.input, form)))
  return answer?.said === undefined ? answer : { ...answer, hasNotice: answer.said in reviewNotices }
}

const ofReview: Part = async (world, step) => {
  const { send: reply, generate, cancel, mark, flag, unflag, note, 'delete-reply': remove } = reviewActions
  const { owner, model } = world
  put(world, 'x', { stars: 2, text: 'Cold soup' })
  await world.sync()
  const review = await idOf(world, 'x')
  const common = { review }
  const form = async (name: string, action: AnyAction | undefined, fields: object = {}) =>
    step(name, send(world, action, { ...common, ...fields }))
  await form('a draft is saved', reply, { text: ' Dear Ann\r\nsorry ', basis: 'any' })
  await form('an old draft is not overwritten', reply, { text: 'Mine', was: 'Other', basis: 'any' })
  await form('it is saved over the draft', reply, { text: 'Mine', was: 'Dear Ann\nsorry', basis: 'any' })
  await form('a long draft is refused', reply, { text: 'é'.repeat(4_001), was: 'Mine', basis: 'any' })
  await form('an empty one removes it', reply, { text: ' ', was: 'Mine', basis: 'any' })
  model.answers.splice(0, 9, { reply: 'Hello Ann, we are sorry.', needs_person: false })
  await form('a draft is written', generate, { tone: 'empathetic' })
  await form('it is not written over', generate, { tone: 'empathetic', was: 'Other' })
  await form('an old version is not answered', reply, { do: 'send', text: 'Sorry', basis: 'old' })
  await form('a reply is sent', reply, { do: 'send', text: 'Sorry', basis: await basisOf(world, review) })
  await form('it is cancelled', cancel)
  await form('it cannot be cancelled again', cancel)
  await form('no reply can be deleted', remove, { replaces: 'Sorry' })
  await owner.rows(Review).update(review, { reply_text: 'Sorry' })
  await form('a reply is deleted', remove, { replaces: 'Sorry' })
  await form('it is read', mark, { state: 'read' })
  await form('it is unread', mark, { state: 'unread' })
  await form('it is flagged', flag, { reason: ' Call her ' })
  await form('the flag is removed', unflag)
  await form('it is noted', note, { text: ' one\r\ntwo\rthree ' })
  await form('the note is removed', note, { text: '' })
  for (const [name, action] of Object.entries(reviewActions))
    await step(`${name} of no review`, send(world, action, { ...filled(name), review: 'rev_none' }))
}

/** What each form of the page of reviews needs besides the review. */
const filled = (name: string): object =>
  ({
    send: { basis: 'any' },
    'delete-reply': { replaces: 'Sorry' },
    generate: { tone: 'friendly' },
    mark: { state: 'read' },
    flag: { reason: 'Call her' },
    note: { text: 'Called' },
  })[name] ?? {}

async function basisOf(world: World, id: string): Promise<string> {
  const { personBasis } = await import('../../../../plugins/reviews/reply/decideAct')
  const row = await world.owner.rows(Review).get(id)
  return row ? personBasis(row) : ''
}

const ofOthers: Part = async (world, step) => {
  const rules = {
    enabled: 'yes',
    ratings: ['4', '5'],
    tone: 'playful',
    allow_templates: 'yes',
    delay_min_minutes: '30',
    delay_max_minutes: '90',
    newest_days: '3',
    model_stars_min: '2',
  }
  const save = rulesPage.actions?.save
  await step('rules are saved', send(world, save, { ...rules, tone: 'friendly' }))
  await step(
    'they are switched off',
    send(world, save, { ...rules, tone: 'empathetic', enabled: 'no', ratings: '5' }),
  )
  await step(
    'a window that ends first is refused',
    send(world, save, { ...rules, tone: 'empathetic', delay_max_minutes: '29' }),
  )
  put(world, 'y', { stars: 5, text: 'Lovely bread' })
  put(world, 'z', { stars: 5, text: 'Lovely staff' })
  await world.sync()
  const draft = { ai_suggested_response: 'Hello Ann,\n\nthank you very much for your review.' }
  for (const id of ['y', 'z']) await world.owner.rows(Review).update(await idOf(world, id), draft)
  const page = await asPerson(world, async (ctx) => approvePage.load(ctx, new URLSearchParams()))
  const marks = ('drafts' in page ? page.drafts : []).map(({ mark }) => mark)
  await world.owner.rows(Review).updateWhere(where.eq('source_id', 'z'), { ai_suggested_response: 'Changed' })
  await step('drafts are approved', send(world, approvePage.actions?.send, { drafts: marks }))
  await step('they are approved again', send(world, approvePage.actions?.send, { drafts: marks[0] }))
  const id = await idOf(world, 'z')
  const entry = (state: string) => ({ id, state }) as never
  await step('an entry of the inbox can be sent', () =>
    asPerson(world, async (ctx) => sendDraft.label?.(ctx, entry(''))),
  )
  await step('another draft is not sent', () =>
    asPerson(world, async (ctx) => sendDraft.run(ctx, entry('open x'))),
  )
}

/** What people do on the pages of reviews. */
export const formParts: readonly Part[] = [ofReview, ofOthers]
