import type { Proof } from './advice-proofs'

/** The tests of each instruction of a page for operators. */
export const docsProofs: Readonly<Record<string, Readonly<Record<string, Proof>>>> = {
  'docs/operators/operating.md': {
    'Put a proxy with TLS in front, name it in `TRUSTED_PROXIES`, and set the public origins in `RENOWN_URL` and `RENOWN_INGEST_URL`.':
      {
        by: 'test/journeys/white-label.test.ts',
        title: 'a white-label domain behind the proxies of docs/operators/domains.md',
      },
    'If there are several agencies, name one with `--agency-id`.': {
      by: 'test/core/tenancy/commands.test.ts',
      title: 'asks which agency where there are several, and knows when there is none',
    },
    'Run `bun renown owner link create` and choose a new password.': {
      by: 'test/core/web/pages/sign-in/sign-in.test.ts',
      title: 'whoever lost both gets in by a link, which ends every session and, if ticked, the second step',
    },
    'Enter one of them instead of the code.': {
      by: 'test/core/auth/people/one-time.test.ts',
      title: 'lets in by a recovery code, once, however it was written down',
    },
    'Run `bun renown owner link create`, and tick "I no longer have my authenticator app"': {
      by: 'test/core/web/pages/sign-in/sign-in.test.ts',
      title: 'whoever lost both gets in by a link, which ends every session and, if ticked, the second step',
    },
    'Wait as long as the page says, 15 minutes at most.': {
      by: 'test/core/auth/people/attempts.test.ts',
      title: 'five are free; the next wait doubles up to 15 minutes',
    },
    'Run `bun renown person deactivate <user_id>`, or use Settings, People.': {
      by: 'test/core/auth/people/member-commands.test.ts',
      title: 'ends the sessions and apps of that person alone, and is recorded once',
    },
    'If you move the data without the key, sign in with recovery codes or owner links.': {
      by: 'test/journeys/advice.test.ts',
      title: 'folder that is open, a missing installation, a taken port, a full disk and a lost key',
    },
    'To change two-step sign-in or a key, enter the password again, at most once in ten minutes.': {
      untried:
        'A rule of the pages of the account. The tests of these pages sign in again before each change.',
    },
    'Set `RENOWN_URL` before others use the product.': {
      by: 'test/core/cli/doctor.test.ts',
      title: 'a product that others can reach but that no host was named for is warned of',
    },
    'With several agencies, name its owner with `--agency-id`.': {
      by: 'test/core/auth/domains/domains.test.ts',
      title: 'belongs to one agency: the second gets it once the first shows no record any more',
    },
    'add the TXT record that Renown shows, `_renown.reviews.example.com` with the value `renown-verification=…`.':
      {
        by: 'test/core/auth/domains/domains.test.ts',
        title: 'is told its record, and served from the moment that record is seen',
      },
    'point the name at a proxy of yours that terminates TLS and forwards the Host header.': {
      by: 'test/journeys/white-label.test.ts',
      title: 'a white-label domain behind the proxies of docs/operators/domains.md',
    },
    "Set `TRUSTED_PROXIES` to the proxy's address (here `127.0.0.1/32`).": {
      by: 'test/core/auth/hosts.test.ts',
      title: 'X-Forwarded-Host counts where a trusted proxy sent it, the last of a chain',
    },
    'sh: OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318': {
      by: 'test/journeys/traces.test.ts',
      title: 'a collector gets spans of requests, stores and jobs, and nothing of who asked or for what',
    },
    'Start the newer version, or restore a backup from before the upgrade.': {
      by: 'test/core/product/data-version.test.ts',
      title: 'a downgrade is refused with every field that it would lose',
    },
    'Set the record': {
      by: 'test/core/auth/domains/domains.test.ts',
      title: 'is told its record, and served from the moment that record is seen',
    },
    'Keep the record': {
      by: 'test/core/auth/domains/domains.test.ts',
      title: 'looks at a verified domain once a day',
    },
    'Set the record again': {
      by: 'test/core/auth/domains/domains.test.ts',
      title:
        'forgives a record that is missing for less than the grace, and a DNS that cannot be asked for ever',
    },
    'Set the record.': {
      by: 'test/core/auth/domains/domains.test.ts',
      title: 'ends the service after the grace, and takes it up again with the record',
    },
    'Set the record, then run `domain verify`': {
      by: 'test/core/auth/domains/domains.test.ts',
      title: 'verifies what waits, and gives up after two weeks until somebody asks again',
    },
    'Send it yourself, because Renown mails notifications, and invitations from the page Clients.': {
      by: 'test/core/auth/people/member-commands.test.ts',
      title: 'adds a member of the given workspaces, with a link that signs in once',
    },
    'Write `%40` for an `@` in the user or the password.': {
      by: 'test/core/outbound/mail/smtp.test.ts',
      title: 'an at sign in the user or the password is written as %40',
    },
    'Let your mail server or relay sign it, and publish SPF for it.': {
      untried: 'DKIM and SPF belong to the mail server and the DNS of the operator.',
    },
    'There, rotate `SECRETS_KEY`.': {
      by: 'test/core/outbound/signing/fetch-signer.test.ts',
      title: 'is made from SECRETS_KEY if processes share the data, so that all of them have the same',
    },
    'To change the key, put a new one before the others in `SECRETS_KEY` and restart every process.': {
      by: 'test/core/product/reseal.test.ts',
      title: 'are sealed again under the newest key, and then need no other',
    },
    'After that, remove the old keys and restart.': {
      by: 'test/core/product/reseal.test.ts',
      title: 'are sealed again under the newest key, and then need no other',
    },
    'Keep `/backups` on another disk.': {
      untried: 'A second disk belongs to the machine of the operator.',
    },
    'stop the product, put the backup in the place of the data folder, and start the product.': {
      by: 'test/journeys/backup.test.ts',
      title: 'a backup that is killed leaves a running product and no backup, and the next one is whole',
    },
    'For the documents alone, stop the product, remove `documents.sqlite-wal` and `documents.sqlite-shm`, and put `documents.sqlite` of the backup in the place of the damaged one.':
      {
        by: 'test/journeys/advice.test.ts',
        title: 'damaged documents: a backup in their place',
      },
    'Copy `SECRETS_KEY` too.': {
      untried: 'It belongs to the settings of the operator, which Renown does not copy.',
    },
    'To get back the traffic since the copy, import only the lines of the access logs that are later than the copy.':
      {
        by: 'test/journeys/advice.test.ts',
        title: 'a copy of the folder is put in place, and only later lines',
      },
    'Set `PLUGINS` for the command line as for the service.': {
      by: 'test/core/cli/plugin.test.ts',
      title: 'is refused without it by every command, in words that say what to do',
    },
    'To remove one, take it out of `PLUGINS`, stop Renown and run `bun renown plugin remove app-reviews`.': {
      by: 'test/core/cli/plugin.test.ts',
      title: 'loses the plugin by a command that says what happens to its rows',
    },
    'Load the version that declares it, or remove its rows with the same command.': {
      by: 'test/core/cli/plugin.test.ts',
      title: 'without rows of it needs no plugin',
    },
    'Restart a process that fails `/livez`.': {
      by: 'test/core/process/listeners.test.ts',
      title: 'a check of a load balancer without a Host header is answered',
    },
    'Take one out of the balancer while it fails `/readyz`, and only then.': {
      by: 'test/core/process/rolling-restart.test.ts',
      title: 'a rolling restart of two gateways behind HAProxy',
    },
    'Restart one gateway after the other.': {
      by: 'test/journeys/rolling-restart.test.ts',
      title: 'a rolling restart of two whole products behind HAProxy, as the docs say, fails no request in ',
    },
    'Wait until `/readyz` of the first answers 200 again, and then two more seconds, so that the balancer has asked too.':
      {
        by: 'test/journeys/rolling-restart.test.ts',
        title:
          'a rolling restart of two whole products behind HAProxy, as the docs say, fails no request in ',
      },
    'Give a container 15 s or more to stop.': {
      untried:
        'The engine of the container counts this time. The product ends within 10 s, which its own tests show.',
    },
    'Let the proxy in front block these addresses from the outside.': {
      untried: 'The lines that block an address belong to the proxy of the operator. The page has none.',
    },
    'Raise `STREAMS_MAX` or start another process': {
      by: 'test/core/web/framework/streams/stream-slots.test.ts',
      title: 'go from the agency that fills them to others, the oldest first, until all have the same',
    },
    'Run it after an update, and after a change of the proxy in front.': {
      by: 'test/conformance/conformance-kit.test.ts',
      title: 'prints a table or JSON, ends with 0, 1 or 2, and never prints the key',
    },
    'Import into empty stores, then start the product there with the same settings.': {
      by: 'test/journeys/command-line.test.ts',
      title: 'everything moves to another place in one file, and the same key reads the same day there',
    },
    'Protect copies in the same way.': {
      by: 'test/core/transfer/transfer.test.ts',
      title: 'holds every row of every type and table but the leases, and is the owner’s alone',
    },
    'To lose nothing, stop the product, export, import, and start the product at its new place.': {
      by: 'test/journeys/command-line.test.ts',
      title: 'everything moves to another place in one file, and the same key reads the same day there',
    },
    "Move others with ClickHouse's own `BACKUP` or `INSERT INTO FUNCTION remote(…)`.": {
      untried: 'A statement of a ClickHouse server, for tables that no built-in plugin has.',
    },
    'Set `RENOWN_INGEST=off` at the gateway.': {
      by: 'test/journeys/remote-ingest.test.ts',
      title:
        'with the ingest secret, a site keeps its domain only once an ingest on another machine has read it',
    },
    'Give each ingest process `RENOWN_URL`, `CLICKHOUSE_URL`, the same `RENOWN_INGEST_SECRET` as the gateway, and a data folder of its own.':
      {
        by: 'test/journeys/two-ingests.test.ts',
        title: 'two ingest processes behind a balancer count each batch once',
      },
    'Create another site for another domain.': {
      by: 'test/journeys/remote-ingest.test.ts',
      title:
        'with the ingest secret, a site keeps its domain only once an ingest on another machine has read it',
    },
    'sh: bun start': {
      by: 'test/journeys/first-run.test.ts',
      title: 'the first run says where it is and hands out its secrets, in one line of JSON',
    },
    'nginx: server {': {
      by: 'test/journeys/white-label.test.ts',
      title: 'a white-label domain behind the proxies of docs/operators/domains.md',
    },
    'caddyfile: reviews.example.com {': {
      by: 'test/journeys/white-label.test.ts',
      title: 'a white-label domain behind the proxies of docs/operators/domains.md',
    },
    'sh: SMTP_URL=smtps://user:password@mail.example.com:465': {
      by: 'test/core/outbound/mail/smtp.test.ts',
      title: 'an at sign in the user or the password is written as %40',
    },
    'text: # HAProxy': {
      by: 'test/journeys/advice.test.ts',
      title: 'HAProxy takes the lines of docs/operators/monitoring.md',
    },
    'yaml: # Kubernetes': {
      by: 'test/journeys/advice.test.ts',
      title: 'Kubernetes takes the probes',
    },
    'sh: RENOWN_KEY=… bunx renown-conformance https://renown.example.com': {
      by: 'test/conformance/conformance-kit.test.ts',
      title: 'prints a table or JSON, ends with 0, 1 or 2, and never prints the key',
    },
    'sh: bun renown data export renown.ndjson': {
      by: 'test/journeys/command-line.test.ts',
      title: 'everything moves to another place in one file, and the same key reads the same day there',
    },
  },
  'docs/operators/scale.md': {
    'Restart them one after the other as that page says.': {
      by: 'test/journeys/rolling-restart.test.ts',
      title: 'a rolling restart of two whole products behind HAProxy, as the docs say, fails no request in ',
    },
    'Run ten ingest processes behind a load balancer, with one ClickHouse server and one gateway.': {
      by: 'test/journeys/two-ingests.test.ts',
      title: 'two ingest processes behind a balancer count each batch once',
    },
    'upgrade the gateway before the ingest processes.': {
      by: 'test/ingest/flush/flusher.test.ts',
      title:
        'where several processes count, a batch that another has is left out, and all waits while nobody can say',
    },
    'Set it at every process.': {
      by: 'test/ingest/flush/flush-claims.test.ts',
      title: 'is all of it where there is nothing to claim, and nobody is asked',
    },
    'Let the load balancer choose the process by the site, which every request names.': {
      by: 'test/journeys/advice.test.ts',
      title: 'nginx takes the lines of docs/operators/many-processes.md',
    },
    'Hash the path for beacons (`/s/<key>`) and the `Authorization` header for forwarders.': {
      by: 'test/journeys/advice.test.ts',
      title: 'nginx takes the lines of docs/operators/many-processes.md',
    },
    'Hash the header but do not log it.': {
      by: 'test/journeys/advice.test.ts',
      title: 'nginx takes the lines of docs/operators/many-processes.md',
    },
    'Set it at the gateway and at every ingest process.': {
      by: 'test/core/stores/columns/cluster.test.ts',
      title:
        'holds the rows of its shard in a replicated table, with its engine, key, partition and settings',
    },
    'Try it with a copy of your data first.': {
      untried: 'The page says that no real cluster was tried. No test has one.',
    },
    'Choose one shard per process and keep it.': {
      untried:
        'Needs a cluster, which no test has. Statements are compared with the documentation of ClickHouse as text.',
    },
    'Let the gateway read from current replicas (`max_replica_delay_for_distributed_queries`).': {
      untried: 'A setting of a ClickHouse cluster, which no test has.',
    },
    'Move them back to `segments/`.': {
      by: 'test/ingest/flush/flusher.test.ts',
      title: 'segments of done/ that are put back are counted once, also when ClickHouse forgot their tokens',
    },
    'Start with ten to fifty processes per shard.': {
      untried: 'An estimate for a cluster, and said to be one.',
    },
    'nginx: map $http_authorization $renown_by { "" $uri; default $http_authorization; }': {
      by: 'test/journeys/advice.test.ts',
      title: 'nginx takes the lines of docs/operators/many-processes.md',
    },
    "sql: -- a shard's rows, on each of its replicas": {
      by: 'test/core/stores/columns/cluster.test.ts',
      title:
        'holds the rows of its shard in a replicated table, with its engine, key, partition and settings',
    },
  },
}
