/** @jsxImportSource ../../kit/jsx */

import { designAddress } from '../../frame/style/design'
import { defineRoute } from '../../framework/route'
import { TextArea } from '../../kit/client/text-area'
import {
  Badge,
  Button,
  ButtonLink,
  Card,
  Checkbox,
  CodeBlock,
  CopyField,
  Facts,
  Field,
  Form,
  Halves,
  Head,
  Moment,
  Notice,
  Row,
  Select,
  Table,
} from '../../kit/parts/kit'
import { tokens } from '../../kit/style/tokens'
import { SharedParts } from './design-parts'

/** Every token and component in one place, for developers of pages. */
export const designPage = defineRoute({
  path: '/app/design',
  method: 'GET',
  auth: 'session',
  handle: ({ page, csrf }) =>
    page({
      title: 'Design',
      width: 'wide',
      copies: true,
      sheet: designAddress,
      children: (
        <>
          <Head title="Design">Every colour and component that pages are made of.</Head>
          <Colours />
          <Words />
          <Halves>
            <Fields csrf={csrf} />
            <Buttons csrf={csrf} />
          </Halves>
          <Notices />
          <Data />
          <SharedParts csrf={csrf} />
        </>
      ),
    }),
})

const Colours = () => (
  <Card title="Colours" about="They change with the reader's light or dark setting.">
    <div class="swatches">
      {Object.keys(tokens.light)
        .filter((name) => name !== 'shadow')
        .map((name) => (
          <div key={name} class="swatch">
            <span class={`of-${name}`} />
            <code>{name}</code>
          </div>
        ))}
    </div>
  </Card>
)

const Words = () => (
  <Card title="Words">
    <h2>A heading of a card</h2>
    <h3>A heading inside it</h3>
    <p>
      A sentence with <a href="#main">a link to the top</a>, <code>some_code</code> and{' '}
      <strong>weight</strong>.
    </p>
    <p class="hint">A hint, quieter than the rest.</p>
    <CodeBlock>curl https://renown.example.com/api/surface</CodeBlock>
  </Card>
)

const Fields = ({ csrf }: { csrf: string }) => (
  <Card title="Fields">
    <Form action="/app/design" csrf={csrf} label="Fields">
      <Field name="name" label="Name" value="Corner Bakery" autocomplete="off" />
      <Field
        name="email"
        label="E-mail"
        type="email"
        value="owner@"
        hint="Where we would reach you."
        error="This is not an e-mail address: add the part after the @."
        autocomplete="off"
      />
      <Field name="code" label="Code" inputmode="numeric" code optional autocomplete="off" />
      <Select name="zone" label="Choice" options={['UTC', ['Europe/Berlin', 'Berlin']]} value="UTC" />
      <TextArea name="lines" label="Several lines" value={'One line,\nand another.'} rows={3} optional />
      <Checkbox name="agree" label="A box to tick" hint="With a hint below it." checked />
      <Checkbox name="sure" label="A box that was forgotten" error="Tick this box, or go back." />
      <Select
        name="of"
        label="A choice with a fault"
        options={['1 star']}
        value=""
        error="Choose one of them."
      />
    </Form>
  </Card>
)

const Buttons = ({ csrf }: { csrf: string }) => (
  <Card title="Buttons" about="One primary button on a page. Red ones name what they end.">
    <Form action="/app/design" csrf={csrf} label="Buttons">
      <Row>
        <Button>Save</Button>
        <Button kind="plain">Do it later</Button>
      </Row>
      <Row>
        <Button kind="danger">Disconnect Claude</Button>
        <Button kind="quiet">Sign out</Button>
      </Row>
      <Button whole>Across the whole width</Button>
      <ButtonLink href="#main">A link that looks like one</ButtonLink>
    </Form>
  </Card>
)

const Notices = () => (
  <Card title="Notices and states">
    <Notice title="To know">Something that needs no answer.</Notice>
    <Notice tone="good" title="Saved">
      The domain is verified.
    </Notice>
    <Notice tone="warn" title="Take care">
      The key is shown only once.
    </Notice>
    <Notice tone="bad" title="That did not work">
      The address is not known.
    </Notice>
    <Row>
      <Badge>unchecked</Badge>
      <Badge tone="good">verified</Badge>
      <Badge tone="warn">waiting</Badge>
      <Badge tone="bad">spoofed</Badge>
    </Row>
  </Card>
)

const Data = () => (
  <Card title="Data">
    <CopyField
      name="copied"
      label="Agent key"
      value="rnw_key_0000000000000000000000000000000000000000000000"
    />
    <Facts
      of={[
        ['Workspace', 'Corner Bakery'],
        ['Last used', <Moment key="used" at="2026-03-15T12:00:00.000Z" />],
      ]}
    />
    <Table
      label="Connected apps"
      columns={['App', 'Host', 'Scopes', 'State']}
      rows={[
        [
          'Claude',
          'claude.ai',
          'read, write',
          <Badge key="a" tone="good">
            in use
          </Badge>,
        ],
        [
          'A long name of an app that wraps',
          'a-rather-long-host.example.com',
          'read',
          <Badge key="b">idle</Badge>,
        ],
      ]}
    />
    <Table label="Nothing" columns={['App']} rows={[]} empty="No app is connected yet." />
  </Card>
)
