/** @jsxImportSource renown/web */
import {
  Button,
  ButtonLink,
  Card,
  Checkbox,
  Copyable,
  Field,
  Form,
  Head,
  Moment,
  Notice,
  type PageProps,
  Row,
  Table,
} from 'renown/web'
import type { ShownSecret } from '../acts/webhook-acts'
import { ChosenWebhook } from './chosen-webhook'
import { HookState, hrefOf, typesWords } from './hook-words'
import type { WebhooksData } from './webhooks-page'

type Props = PageProps<WebhooksData>

/** Lists the webhooks of a workspace, and shows one with its attempts. */
export default function WebhooksPage(props: Props) {
  const { data, outcome, path } = props
  const shown = outcome?.ok && outcome.shown ? (outcome.shown as ShownSecret) : null
  return (
    <>
      <Head title={data.chosen ? data.chosen.host : 'Webhooks'}>
        {data.chosen ? (
          <a href={path}>All webhooks</a>
        ) : (
          'Renown sends what happens in this workspace to addresses of yours. Agents cannot change them.'
        )}
      </Head>
      {props.notice !== null && <Notice tone="good">{props.notice}</Notice>}
      {outcome?.fault && <Notice tone="bad" title={outcome.fault} />}
      {shown && <SecretOnce shown={shown} path={path} />}
      {data.is_unknown && (
        <Notice tone="warn" title="This webhook does not exist">
          It may have been deleted.
        </Notice>
      )}
      {data.chosen ? <ChosenWebhook {...props} chosen={data.chosen} /> : <Overview {...props} />}
    </>
  )
}

/** The secret of a webhook, shown only once. */
const SecretOnce = ({ shown, path }: { readonly shown: ShownSecret; readonly path: string }) => (
  <Card title="Signing secret">
    <Notice tone="warn" title="This is the only time you see it">
      Copy it now. Your receiver checks the signature of each message with it.
      {shown.is_replaced && ' For a day, messages are signed with the former secret too.'}
    </Notice>
    <Copyable label="the signing secret" value={shown.secret} />
    <Row>
      <ButtonLink href={hrefOf(path, shown.webhook_id)} kind="primary">
        {shown.is_replaced ? 'I have saved it' : 'I have saved it, verify the webhook'}
      </ButtonLink>
    </Row>
  </Card>
)

function Overview(props: Props) {
  const { data, path } = props
  return (
    <>
      {data.webhooks.length > 0 && (
        <Card title="Webhooks">
          <Table
            label="Webhooks"
            columns={['Receiver', 'State', 'Events', 'Last delivered']}
            rows={data.webhooks.map((one) => [
              <a key="host" href={hrefOf(path, one.id)}>
                <bdi>{one.host}</bdi>
              </a>,
              <HookState key="state" hook={one} />,
              typesWords(one.types),
              one.delivered_at === null ? 'Never' : <Moment key="at" at={one.delivered_at} />,
            ])}
          />
        </Card>
      )}
      {data.may_change ? (
        <NewWebhook {...props} />
      ) : (
        <p class="hint">Webhooks of a demo cannot be changed.</p>
      )}
    </>
  )
}

function NewWebhook({ data, path, csrf, outcome }: Props) {
  const failed = outcome?.action === 'create' && !outcome.ok ? outcome : null
  const typed = [failed?.values?.types ?? []].flat()
  return (
    <Card
      title="New webhook"
      about="Nothing is sent before you verify the address. Messages are signed by Standard Webhooks, and contain ids and links, no texts of reviews."
    >
      <Form action={`${path}/create`} csrf={csrf} label="New webhook">
        <Field
          name="url"
          label="Address"
          hint="Begins with https://."
          inputmode="url"
          autocomplete="off"
          value={String(failed?.values?.url ?? '')}
          error={failed?.faults?.url}
        />
        <fieldset class="hook-types">
          <legend>Events</legend>
          <p class="hint">If you check none, all events are sent, also types that are added later.</p>
          {failed?.faults?.types && <Notice tone="bad">{failed.faults.types}</Notice>}
          {data.types.map(({ name, summary }) => (
            <Checkbox
              key={name}
              name="types"
              value={name}
              label={<code>{name}</code>}
              hint={summary}
              checked={typed.includes(name)}
            />
          ))}
        </fieldset>
        <Row>
          <Button>Create webhook</Button>
        </Row>
      </Form>
    </Card>
  )
}
