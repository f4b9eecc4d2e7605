/** @jsxImportSource ../../kit/jsx */
import type { ListData } from '../../../contracts/list'
import type { PageProps } from '../../kit/browser/page-props'
import { Button, Card, CodeBlock, Facts, Form, Head, Notice } from '../../kit/parts/kit'
import { Listed } from '../../kit/parts/listed'
import type { ListsData } from './lists'

/** Shows where the address lists come from, what is wrong with them, and each of them. */
export default function ListsPage({ data, csrf, path, notice }: PageProps<ListData<ListsData>>) {
  const { mirror, isElsewhere, doubts, failures, total, list } = data
  return (
    <>
      <Head title="Address lists">
        AI operators publish the addresses of their agents. A hit from inside these ranges is verified, one
        from outside is spoofed. Without a current list it is unchecked.
      </Head>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      <Card title="Where they come from">
        <Facts
          of={[
            ['Fetched from', mirror === '' ? 'the operators themselves' : <code key="mirror">{mirror}</code>],
            ['Set by', <code key="name">RENOWN_RANGES_MIRROR</code>],
            ['Fetched', 'every six hours, and when you refresh them'],
          ]}
        />
        {!isElsewhere && (
          <Form action={`${path}/refresh`} csrf={csrf} inline>
            <Button kind="plain">Refresh them now</Button>
          </Form>
        )}
      </Card>
      {isElsewhere ? (
        <Card title="The ingest runs in a separate process">
          <p>That process has the lists. Run this command on its machine:</p>
          <CodeBlock>bun renown range list</CodeBlock>
        </Card>
      ) : (
        <>
          {doubts.map((why) => (
            <Notice key={why} tone="warn" title="A list is in doubt">
              {why}
            </Notice>
          ))}
          {failures.map(([why, count]) => (
            <Notice key={why} tone="warn" title={`${count} of ${total} could not be renewed`}>
              {why}
            </Notice>
          ))}
          <Listed of={list} />
        </>
      )}
    </>
  )
}
