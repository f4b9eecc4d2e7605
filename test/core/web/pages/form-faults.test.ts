import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { SignInAttempts } from '../../../../core/auth/people/SignInAttempts'
import { everything } from '../../../../core/contracts/where'
import { formPassword, type OpenPage, startFormWorld } from '../../../support/form-world'
import { type PageField, type PageForm, postFormsOf } from '../../../support/page-forms'

/**
 * Every form of the product that people type into, found by opening every page of the table. An empty required field and
 * a malformed field are marked, no other is, and what was typed stays. A new form is tested as soon as a page shows it.
 */
const { gate, pages } = await startFormWorld()
afterAll(() => gate.stop())
beforeEach(() => gate.owner.rows(SignInAttempts).removeWhere(everything))

interface Found {
  readonly page: OpenPage
  readonly form: PageForm
  /** Which form of the page with that action, from 0. */
  readonly index: number
}

const found: Found[] = []
for (const page of pages) {
  const forms = postFormsOf((await page.open()).html)
  for (const form of forms) {
    if (found.some((each) => each.form.action === form.action && namesOf(each.form) === namesOf(form)))
      continue
    const index = forms.filter(({ action }) => action === form.action).indexOf(form)
    found.push({ page, form, index })
  }
}

function namesOf({ fields, hidden }: PageForm) {
  const key = hidden.find(([name]) => name === 'key')?.[1]
  return JSON.stringify([fields.map(({ name }) => name), key])
}

/** Longer than any field takes. */
const tooLong = 'x'.repeat(10_000)

interface Sample {
  readonly good: string
  /** What cannot be taken. Empty where the field takes every text. */
  readonly bad: readonly string[]
}

/** What people type, by the name of the field, or by the address of the form and the name. */
const samples: Readonly<Record<string, Sample>> = {
  email: { good: 'eve@example.com', bad: ['eve@', 'eve', `${'e'.repeat(300)}@example.com`] },
  password: { good: 'four quiet words here', bad: ['short', 'aaaaaaaaaaaaaaaa', 'y'.repeat(300)] },
  // Which of the two is wrong is not said: it would tell who has an account.
  '/app/sign-in password': { good: 'not the right one', bad: [] },
  '/app/confirm password': { good: formPassword, bad: ['not the right one'] },
  again: { good: 'four quiet words here', bad: ['four other words here'] },
  current: { good: formPassword, bad: ['not the right one'] },
  newest_days: { good: '3', bad: ['0', '366', 'a week'] },
  delay_min_minutes: { good: '30', bad: ['-1', '43201', 'soon'] },
  delay_max_minutes: { good: '600', bad: ['-1', '43201', 'late'] },
  model_stars_min: { good: '5', bad: ['0', '6'] },
  tone: { good: 'playful', bad: ['loud'] },
  code: { good: '000000', bad: ['12', 'abcdef', '000000'] },
  business: { good: 'Harbour Bakery', bad: [tooLong] },
  workspace: { good: 'Harbour', bad: [tooLong] },
  '/app/start website': { good: 'harbour.example', bad: ['no domain', 'http://'] },
  website: { good: 'https://harbour.example', bad: ['no domain', 'javascript:alert(1)'] },
  timezone: { good: 'Europe/Madrid', bad: ['Nowhere', 'Mars/Olympus'] },
  domain: { good: 'shop.harbour.example', bad: ['no domain', tooLong] },
  '/app/apps/hosts hosts': {
    good: '*.harbour.example',
    bad: ['no_host', '*', 'co.uk', '127.0.0.1', tooLong],
  },
  '/app/domains domain': { good: 'shop.harbour.example', bad: ['no domain', 'localhost', 'co.uk', tooLong] },
  location_id: { good: '', bad: ['loc_gone'] },
  business_location_id: { good: '', bad: ['loc_gone'] },
  '/app/settings/branding sender_name': { good: 'Harbour & Co', bad: [tooLong] },
  '/app/settings/branding logo': { good: '', bad: ['eA=='] },
  '/app/settings/branding color': { good: '#0f766e', bad: ['red', '#777777'] },
  '/app/settings/branding color_dark': { good: '#2dd4bf', bad: ['red', '#0f766e'] },
  '/app/reports period': { good: 'days', bad: ['no_period'] },
  '/app/reports template': { good: 'monthly_reputation_report', bad: ['no_report'] },
  '/app/reports/schedule location': { good: '', bad: ['loc_gone'] },
  '/app/reports/schedule template': { good: 'monthly_reputation_report', bad: ['no_report'] },
  '/app/reports/schedule cadence': { good: 'weekly', bad: ['daily'] },
  '/app/reports/schedule recipients': { good: 'ada@shop.example', bad: ['ada', 'a@b.example x', tooLong] },
  '/app/reports/schedule review_first': { good: 'yes', bad: ['perhaps'] },
  '/app/reports/schedule keep_paragraph': { good: 'yes', bad: ['perhaps'] },
  '/app/reports/schedule day': { good: '1', bad: ['0', '32', 'Monday'] },
  period_start: { good: '2026-01-01', bad: ['yesterday', '2026-02-31'] },
  period_end: { good: '2026-01-31', bad: ['tomorrow', '2999-01-01'] },
  '/app/clients/new name': { good: 'Corner Bakery', bad: [' ', tooLong] },
  '/app/clients/one name': { good: 'Second', bad: [' ', tooLong] },
  '/app/clients/invite name': { good: 'Eve', bad: [' ', 'x'.repeat(101)] },
  '/app/members name': { good: 'Eve', bad: [' ', 'x'.repeat(101)] },
  '/app/workspace-data/delete name': { good: 'Second', bad: ['second', 'Another'] },
  '/app/locations name': { good: 'Harbour Bakery', bad: [' ', tooLong] },
  google_place_id: { good: 'ChIJN1t_tDeuEmsRUsoyG83frY4', bad: ['not a place id', tooLong] },
  business_name: { good: 'Harbour Bakery', bad: [' ', tooLong] },
  business_category: { good: 'Bakery', bad: [tooLong] },
  phone: { good: '+1 555 0100', bad: [tooLong] },
  '/app/people-rights name': { good: 'Anna Miller', bad: [tooLong, '!!'] },
  '/app/people-rights profile': { good: 'https://social.example/anna', bad: [tooLong, 'anna'] },
  '/app/people-rights handle': { good: '@anna_m', bad: [tooLong] },
  address_line1: { good: '1 Quay', bad: [tooLong] },
  address_line2: { good: 'Floor 2', bad: [tooLong] },
  postal_code: { good: '12345', bad: [tooLong] },
  city: { good: 'Porto', bad: [tooLong] },
  state: { good: 'Norte', bad: [tooLong] },
  country: { good: 'Portugal', bad: [tooLong] },
  online_only: { good: 'yes', bad: ['perhaps'] },
  notes: { good: 'Closed in August.', bad: [tooLong] },
  about: { good: 'A bakery at the harbour.', bad: [tooLong] },
  services: { good: 'Bread', bad: [tooLong] },
  attributes: { good: 'Terrace', bad: [tooLong] },
  '/app/visibility/setup/begin brand_name': { good: 'Harbour Bakery', bad: [' ', tooLong] },
  '/app/visibility/setup/begin aliases': { good: 'The Harbour', bad: [tooLong] },
  '/app/visibility/setup/begin brand_domain': { good: 'harbour.example', bad: ['no domain', tooLong] },
  '/app/visibility/setup/begin competitors': { good: 'Beta, beta.example', bad: ['Harbour Bakery', tooLong] },
  '/app/visibility/setup/begin prompts': { good: 'Who bakes in Porto?', bad: ['x', tooLong] },
  '/app/visibility/setup/begin country': { good: 'PT', bad: ['UK', tooLong] },
  '/app/visibility/setup/begin provider': { good: 'direct', bad: [] },
  '/app/visibility/setup/begin usd_per_month': { good: '25', bad: ['-1', '1e9', 'much'] },
  '/app/mentions/tracker/begin name': { good: 'Harbour', bad: [' ', tooLong] },
  '/app/mentions/tracker/begin keywords': {
    good: '"harbour bakery"',
    bad: [' ', '"open', 'NOT zoo', tooLong],
  },
  '/app/mentions/tracker/begin exclude': { good: 'zoo', bad: ['zoo OR', tooLong] },
  '/app/mentions/tracker/begin required': { good: 'porto', bad: ['(porto', tooLong] },
  '/app/mentions/tracker/begin languages': { good: 'en, pt', bad: ['klingon!!', tooLong] },
  '/app/mentions/tracker/begin feeds': {
    good: 'https://news.example/feed.xml',
    bad: ['no address', tooLong],
  },
  '/app/settings/webhooks/create url': {
    good: 'https://hooks.harbour.example/in',
    bad: [
      '',
      'no address',
      'http://hooks.harbour.example/',
      'https://127.0.0.1/',
      'https://localhost/',
      tooLong,
    ],
  },
  '/app/locations prospect': { good: 'yes', bad: [] },
  '/app/posts/new location': { good: '', bad: ['loc_gone'] },
  '/app/posts/new text': { good: 'Fresh bread on Sunday', bad: [' ', tooLong] },
  '/app/posts/new link': { good: 'https://harbour.example/news', bad: [tooLong] },
  '/app/posts/new photo': { good: 'https://harbour.example/a.jpg A loaf', bad: ['a.jpg'] },
  '/app/posts/new language': { good: 'en', bad: ['no language'] },
  '/app/posts/new button': { good: 'shop', bad: [] },
  '/app/posts/new type': { good: 'update', bad: [] },
  '/app/posts/new event': { good: 'Open day', bad: [tooLong] },
  '/app/posts/new starts': { good: '2026-12-01T18:00:00Z', bad: [tooLong] },
  '/app/posts/new ends': { good: '2026-12-01T20:00:00Z', bad: [tooLong] },
  '/app/posts/new coupon': { good: 'S10', bad: [tooLong] },
  '/app/posts/new terms': { good: 'One each', bad: [tooLong] },
}

/** Forms that these pages do not show, and why that is right. */
const elsewhere: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      '/app/account/sessions',
      '/app/account/two-step/codes',
      '/app/account/two-step/off',
      '/app/clients/restore',
      '/app/apps/disconnect',
      '/app/apps/disconnect-all',
      '/app/demo/remove',
      '/app/home/load-lists',
      '/app/lists/refresh',
      '/app/locations/one/activate',
      '/app/locations/one/audit',
      '/app/locations/one/cancel',
      '/app/locations/one/pitch',
      '/app/locations/one/sign',
      '/app/locations/one/trial',
      '/app/mail/stop',
      '/app/members/activate',
      '/app/notifications/mail/test',
      '/app/notifications/read',
      '/app/reviews/cancel',
      '/app/reviews/delete-reply',
      '/app/reviews/mark',
      '/app/reviews/unflag',
      '/app/settings/connections/facebook',
      '/app/settings/connections/google',
      '/app/settings/connections/reddit',
      '/app/settings/connections/youtube',
      '/app/settings/connections/remove',
    ].map((path) => [path, 'a button without a field']),
  ),
  ...Object.fromEntries(
    ['export', 'erase'].map((name) => [
      `/app/people-rights/${name}`,
      'needs a search: test/core/web/pages/settings/person-rights.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['allow', 'stop'].map((name) => [
      `/app/reviews/rules/${name}`,
      'needs rules: test/plugins/reviews/pages/form-pages.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['approve/send', 'flag', 'generate', 'note', 'send'].map((name) => [
      `/app/reviews/${name}`,
      'needs a review: test/plugins/reviews/pages',
    ]),
  ),
  ...Object.fromEntries(
    ['archive', 'exclude', 'ignore', 'pause', 'preview', 'resume', 'save'].map((name) => [
      `/app/mentions/tracker/${name}`,
      'needs a tracker: test/plugins/leads/pages/tracker-pages.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    [
      'answered',
      'dismiss',
      'generate',
      'mark',
      'reply-again',
      'reply-cancel',
      'reply-confirm',
      'restore',
      'save',
      'take-back',
      'write',
    ].map((name) => [
      `/app/mentions/${name}`,
      'needs a mention: test/plugins/leads/pages/mentions-page.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['archive', 'move', 'save', 'see', 'take', 'unarchive'].map((name) => [
      `/app/leads/${name}`,
      'needs a lead: test/plugins/leads/board/board-page.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    [
      'again',
      'ask-approval',
      'cancel',
      'confirm',
      'duplicate',
      'edit',
      'end-approval',
      'publish',
      'retry',
      'schedule',
      'unschedule',
    ].map((name) => [
      `/app/posts/post/${name}`,
      'needs a post: test/plugins/posts/pages/posts-pages.test.ts',
    ]),
  ),
  '/app/visibility/setup/forecast': 'a second button of the form that begins a tracker',
  '/app/posts/targets/confirm': 'needs a target in doubt: test/plugins/posts/pages/posts-pages.test.ts',
  '/app/posts/targets/disconnect': 'a button without a field',
  '/app/posts/targets/renew': 'a button without a field',
  ...Object.fromEntries(
    [
      'add',
      'pause',
      'pause-prompt',
      'remove-prompt',
      'resume',
      'resume-prompt',
      'run',
      'save',
      'suggest',
    ].map((name) => [
      `/app/visibility/tracker/${name}`,
      'needs a tracker: test/plugins/visibility/tracking/tracking-pages.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['pause', 'remove', 'replay', 'replay-since', 'resume', 'rotate', 'verify'].map((name) => [
      `/app/settings/webhooks/${name}`,
      'needs a webhook: test/plugins/webhooks/pages/webhooks-page.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    [
      'paragraph',
      'share',
      'change-share',
      'new-link',
      'unshare',
      'retry',
      'send',
      'hold',
      'add-recipient',
      'remove-recipient',
      'ask-again',
      'decide',
    ].map((name) => [`/app/reports/one/${name}`, 'needs a report: test/plugins/reports/share/share.test.ts']),
  ),
  ...Object.fromEntries(
    ['add-recipient', 'remove-recipient', 'ask-again', 'decide', 'pause', 'resume'].map((name) => [
      `/app/reports/scheduled/${name}`,
      'needs a schedule: test/plugins/reports/pages/mail-pages.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['several-dismiss', 'several-restore', 'several-save', 'undo-dismiss', 'undo-save'].map((name) => [
      `/app/mentions/${name}`,
      'needs chosen mentions: test/plugins/leads/pages/mentions-page.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['new', 'contacted', 'qualified', 'won', 'archive', 'unarchive', 'see']
      .flatMap((name) => [`several-${name}`, ...(name === 'see' ? [] : [`undo-${name}`])])
      .map((name) => [
        `/app/leads/${name}`,
        'needs chosen leads: test/plugins/leads/board/board-page.test.ts',
      ]),
  ),
  ...Object.fromEntries(
    ['several-read', 'several-unread', 'undo-read', 'undo-unread'].map((name) => [
      `/app/reviews/${name}`,
      'needs chosen reviews: test/plugins/reviews/pages/other-pages.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['several-retry', 'several-unschedule', 'undo-unschedule'].map((name) => [
      `/app/posts/${name}`,
      'needs chosen posts: test/plugins/posts/pages/posts-pages.test.ts',
    ]),
  ),
  '/app/apps/allow-events': 'needs a subscription: test/plugins/webhooks/subscriptions/apps-page.test.ts',
  '/app/apps/stop-events': 'needs a subscription: test/plugins/webhooks/subscriptions/apps-page.test.ts',
  '/app/reports/unschedule': 'needs a schedule: test/plugins/reports/pages/reports.test.ts',
  ...Object.fromEntries(
    ['remove', 'rename', 'stop'].map((name) => [
      `/app/sites/one/${name}`,
      'needs a site: test/plugins/traffic/install/site-page.test.ts',
    ]),
  ),
  ...Object.fromEntries(
    ['propose', 'remove', 'save', 'test'].map((name) => [
      `/app/sites/mapping/${name}`,
      'needs a site: test/plugins/traffic/install/mapping-page.test.ts',
    ]),
  ),
  '/app/settings/connections/facebook/pages':
    'needs Facebook: test/core/web/pages/settings/connect-facebook.test.ts',
  '/app/settings/connections/locations': 'needs Google: test/core/web/pages/settings/connections.test.ts',
  '/oauth/consent': 'needs an app that asks: test/core/web/pages/oauth/consent.test.ts',
  '/app/traffic/access/check': 'needs a site, and has only a button',
}

const sampleOf = ({ action }: PageForm, name: string) => samples[`${action} ${name}`] ?? samples[name]
/** Shows what forms are made of, and takes none. */
const showcase = '/app/design'
const isTyped = ({ kind }: PageField) => kind === 'text' || kind === 'secret'
const typed = found.filter(({ form }) => form.action !== showcase && form.fields.some(isTyped))
const cases = typed.map(
  (each) =>
    [`${each.form.action} on ${each.page.name} (${each.form.fields.map(({ name }) => name)})`, each] as const,
)

test('every form that the product takes is found on a page, or is known to be shown elsewhere', () => {
  const posts = gate.gateway.pages.filter(({ method }) => method === 'POST').map(({ path }) => path)
  const shown = new Set(found.map(({ form }) => form.action))
  expect([...shown].filter((action) => !posts.includes(action))).toEqual([showcase])
  expect(posts.filter((path) => !shown.has(path)).sort()).toEqual(Object.keys(elsewhere).sort())
  expect(typed.length).toBeGreaterThan(10)
})

test('every field that people fill in has a sample of what is right and what is wrong', () => {
  const unknown = typed.flatMap(({ form }) =>
    form.fields
      .filter(({ kind }) => kind !== 'box' && kind !== 'radio')
      .filter(({ name }) => sampleOf(form, name) === undefined)
      .map(({ name }) => `${form.action} ${name}`),
  )
  expect(unknown).toEqual([])
})

/** Everything filled in as it should be, with other choices than the page began with. */
function filled(form: PageForm): ReadonlyMap<string, readonly string[]> {
  return new Map(
    form.fields.map((field): [string, readonly string[]] => {
      if (field.kind === 'radio') return [field.name, field.options.slice(-1)]
      if (field.kind === 'box')
        return [field.name, field.options.filter((each) => !field.sent.includes(each))]
      const good = sampleOf(form, field.name)?.good
      return [field.name, [good || (field.options.at(-1) ?? '')]]
    }),
  )
}

async function send({ page, form, index }: Found, values: ReadonlyMap<string, readonly string[]>) {
  await page.open()
  const seen = await page.visitor.submit(form.action, Object.fromEntries(values), index)
  const forms = postFormsOf(seen.html).filter(({ action }) => action === form.action)
  return { seen, form: forms.find((each) => namesOf(each) === namesOf(form)) ?? forms[0] }
}

/** What is wrong with the answer to a form of which one field cannot be taken. */
async function misplaced(each: Found, name: string, value: string): Promise<string[]> {
  const values = new Map([...filled(each.form), [name, [value]]])
  const { seen, form } = await send(each, values)
  const at = `${name}=${JSON.stringify(value.slice(0, 20))}`
  if (seen.status !== 422 || !form)
    return [`${at}: ${seen.status} at ${seen.path}: ${seen.text.slice(0, 200)}`]
  const marked = form.fields.filter(({ isInvalid }) => isInvalid)
  const said = marked.map((field) => `${field.name}: ${field.faults.join(' ')}`)
  // A choice cannot be shown again where it is none.
  const kept = form.fields.filter(
    ({ kind, options, name: each }) =>
      kind !== 'secret' && (kind !== 'choice' || options.includes(String(values.get(each)))),
  )
  const lost = kept.filter(
    (field) => String(field.sent) !== String(values.get(field.name)).replaceAll('\r\n', '\n'),
  )
  return [
    ...(marked.length === 1 && marked[0]?.name === name ? [] : [`${at} marks [${said}]`]),
    ...(marked.every(({ faults }) => faults.join('').trim() !== '') ? [] : [`${at} is marked without words`]),
    ...lost.map((field) => `${at} loses ${field.name}: ${field.sent} in place of ${values.get(field.name)}`),
  ]
}

describe('a form', () => {
  test.each(cases)('%s: a required field that is empty is marked, and no other', async (_, each) => {
    const wrong: string[] = []
    for (const { name, isRequired } of each.form.fields)
      if (isRequired) wrong.push(...(await misplaced(each, name, '')))
    expect(wrong).toEqual([])
  })

  test.each(cases)('%s: a field that cannot be taken is marked, and no other', async (_, each) => {
    const wrong: string[] = []
    for (const { name, kind } of each.form.fields)
      for (const value of kind === 'box' || kind === 'radio' ? [] : (sampleOf(each.form, name)?.bad ?? [])) {
        await gate.owner.rows(SignInAttempts).removeWhere(everything)
        wrong.push(...(await misplaced(each, name, value)))
      }
    expect(wrong).toEqual([])
  })
})
