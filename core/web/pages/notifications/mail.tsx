/** @jsxImportSource ../../kit/jsx */
import type { OwnerContext } from '../../../contracts/plugin'
import { isServiceFault } from '../../../contracts/service-fault'
import { where } from '../../../contracts/where'
import { choiceOf, choose, defaultFrequency } from '../../../tenancy/news/mail/choices'
import { type Frequency, frequencies } from '../../../tenancy/news/mail/MailChoice'
import { MailDelivery } from '../../../tenancy/news/mail/MailDelivery'
import { mayMail } from '../../../tenancy/news/mail/may-mail'
import { User } from '../../../tenancy/User'
import { Workspace } from '../../../tenancy/Workspace'
import { noWorkspace } from '../../framework/no-workspace'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import type { VisibleWorkspace } from '../../framework/workspace-access'
import {
  Button,
  ButtonLink,
  Card,
  Facts,
  Form,
  Head,
  Moment,
  Notice,
  Row,
  Select,
  Table,
} from '../../kit/parts/kit'
import { StateWord } from '../../kit/parts/state-word'

export const mailPath = '/app/notifications/mail'
const testPath = '/app/notifications/mail/test'
const shownMax = 20
/** Maximum test mails of a person in ten minutes. */
const testsMax = 3
const testsMs = 10 * 60_000

interface MailDeps {
  readonly owner: OwnerContext
}

type Told = { readonly tone: 'good' | 'bad'; readonly words: string }

/** The pages about email: how often a person gets email about the workspace, a test mail, and sent mail. */
export function mailPages(deps: MailDeps): Route[] {
  const tests = new Map<string, number[]>()
  return [
    defineRoute({
      path: mailPath,
      method: 'GET',
      auth: 'session',
      handle: (visit) => (visit.place ? show(deps, visit, visit.place) : noWorkspace(visit)),
    }),
    defineRoute({
      path: mailPath,
      method: 'POST',
      auth: 'session',
      async handle(visit) {
        if (!visit.place) return noWorkspace(visit)
        return show(deps, visit, visit.place, await save(deps, visit, visit.place))
      },
    }),
    defineRoute({
      path: testPath,
      method: 'POST',
      auth: 'session',
      back: mailPath,
      async handle(visit) {
        if (!visit.place) return noWorkspace(visit)
        return show(deps, visit, visit.place, await sendTest(deps, visit, tests))
      },
    }),
  ]
}

async function save({ owner }: MailDeps, { form, person }: SignedIn, place: VisibleWorkspace): Promise<Told> {
  const frequency = frequencies.find((each) => each === form.get('frequency'))
  if (!frequency) return { tone: 'bad', words: `Choose one of: ${Object.values(frequencyWords).join(', ')}.` }
  const [user, workspace] = await Promise.all([
    owner.rows(User).get(person.id),
    owner.rows(Workspace).get(place.id),
  ])
  if (!workspace || !mayMail(user, workspace))
    return { tone: 'bad', words: 'Renown sends you no email about this workspace.' }
  await choose(owner, user, workspace, frequency)
  return { tone: 'good', words: `Saved: ${frequencyWords[frequency].toLowerCase()}.` }
}

async function sendTest(
  { owner }: MailDeps,
  { person }: SignedIn,
  tests: Map<string, number[]>,
): Promise<Told> {
  const { mail } = owner.outbound
  if (person.email === undefined) return { tone: 'bad', words: 'You have no e-mail address yet.' }
  const now = owner.now().getTime()
  const recent = (tests.get(person.id) ?? []).filter((at) => now - at < testsMs)
  if (recent.length >= testsMax)
    return { tone: 'bad', words: `You sent ${testsMax} test mails in ten minutes. Wait a little.` }
  tests.set(person.id, [...recent, now])
  try {
    await mail.send({
      to: person.email,
      subject: 'Test mail from Renown',
      text: 'This test shows that Renown can send you mail.',
      html: '<p>This test shows that Renown can send you mail.</p>',
      messageId: `test-${owner.newId(MailDelivery)}@${new URL(owner.apiUrl).hostname}`,
    })
    return { tone: 'good', words: `The mail server accepted a test mail to ${person.email}.` }
  } catch (error) {
    if (!isServiceFault(error)) throw error
    return { tone: 'bad', words: error.message }
  }
}

const frequencyWords: Readonly<Record<Frequency, string>> = {
  at_once: 'At once',
  daily: 'Daily at 08:00',
  weekly: 'Weekly, Monday at 08:00',
  off: 'Off',
}

async function show(
  { owner }: MailDeps,
  visit: SignedIn,
  place: VisibleWorkspace,
  told?: Told,
): Promise<Response> {
  const { person } = visit
  const theirs = where.and(where.eq('workspace_id', place.id), where.eq('user_id', person.id))
  const [choice, deliveries] = await Promise.all([
    choiceOf(owner, person.id, place.id),
    owner.rows(MailDelivery).list({
      where: theirs,
      sort: [{ field: 'created_date', direction: 'desc' }],
      limit: shownMax,
    }),
  ])
  const frequency = choice?.frequency ?? defaultFrequency(person)
  const { isConfigured, from } = owner.outbound.mail
  return visit.page({
    title: 'Mail',
    ...(told?.tone === 'bad' ? { status: 422 } : {}),
    children: (
      <>
        <Head title="Mail">{`Notifications of ${place.name}, sent to you by mail.`}</Head>
        {told && <Notice tone={told.tone}>{told.words}</Notice>}
        {isConfigured ? null : (
          <Notice tone="warn" title="No mail server is set up">
            {`Nothing is lost: notifications stay on their page. ${wouldGo(person.email, frequency)} Operators set SMTP_URL and MAIL_FROM.`}
          </Notice>
        )}
        <Card title="How often">
          <Form action={mailPath} csrf={visit.csrf}>
            <Select
              name="frequency"
              label="Send mail"
              options={frequencies.map((each) => [each, frequencyWords[each]])}
              value={frequency}
              hint={`Times are in ${place.timezone}.`}
            />
            <Button>Save</Button>
          </Form>
        </Card>
        <Card title="Mail server">
          <Facts
            of={[
              ['Sender', from ?? 'not set up'],
              ['Recipient', person.email ?? 'no e-mail address'],
              ['Next mail', <Next key="next" frequency={frequency} at={choice?.due_at} />],
            ]}
          />
          {isConfigured && (
            <Form action={testPath} csrf={visit.csrf} inline>
              <Button kind="plain">Send a test mail</Button>
            </Form>
          )}
        </Card>
        <Card title="Sent to you">
          <Table
            label="Mail"
            columns={['State', 'When', 'Reason']}
            rows={deliveries.map((delivery) => [
              <StateWord key="state" tone={stateTones[delivery.state]}>
                {stateWords[delivery.state]}
              </StateWord>,
              <Moment key="at" at={delivery.sent_at ?? delivery.ended_at ?? delivery.created_date} />,
              delivery.error ?? '–',
            ])}
            empty="No mail yet."
          />
        </Card>
        <Row>
          <ButtonLink href="/app/notifications">Back to notifications</ButtonLink>
        </Row>
      </>
    ),
  })
}

const Next = ({ frequency, at }: { readonly frequency: Frequency; readonly at: string | undefined }) =>
  frequency === 'off' || at === undefined ? <span>{frequencyWords[frequency]}</span> : <Moment at={at} />

const wouldGo = (email: string | undefined, frequency: Frequency): string => {
  if (email === undefined || frequency === 'off') return ''
  return `With one, mail would go to ${email} (${frequencyWords[frequency].toLowerCase()}).`
}

const stateTones = { queued: 'warn', sent: 'good', failed: 'bad', cancelled: 'plain' } as const
const stateWords = { queued: 'Waiting', sent: 'Sent', failed: 'Failed', cancelled: 'Not sent' } as const
