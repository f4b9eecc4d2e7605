/** What does an instruction: a test by its file and a part of its title, or the reason why no test can. */
export type Proof = { readonly by: string; readonly title: string } | { readonly untried: string }

/** The tests of what `bun renown doctor` says, by the names in `core/product/checks/advice.ts`. */
export const doctorProofs: Readonly<Record<string, Proof>> = {
  unexpected: {
    by: 'test/core/cli/doctor.test.ts',
    title: 'documents that were damaged are found, and nothing is opened on top of them unseen',
  },
  readLog: {
    by: 'test/core/product/checks/checks.test.ts',
    title: 'checks of plugins are listed, and one that throws has failed under its name',
  },
  host: {
    by: 'test/core/auth/hosts.test.ts',
    title: 'the machine itself is served by all its names, nothing else is',
  },
  folderMode: {
    by: 'test/journeys/advice.test.ts',
    title: 'folder that is open, a missing installation, a taken port, a full disk and a lost key',
  },
  noInstallation: {
    by: 'test/journeys/advice.test.ts',
    title: 'folder that is open, a missing installation, a taken port, a full disk and a lost key',
  },
  secretsKey: {
    by: 'test/core/cli/doctor.test.ts',
    title: 'documents on a server without SECRETS_KEY get the command that makes one, and its key is taken',
  },
  clock: {
    untried:
      'The clock of this machine cannot be set by a test. The check itself reads a file that is newer.',
  },
  library: {
    untried:
      'A package of the installation would have to be removed. The packed product is installed and started by test/packed.test.ts.',
  },
  unhealthy: { untried: 'It sends the reader to a log, whose lines are tested where they are written.' },
  unreachable: {
    by: 'test/core/auth/hosts.test.ts',
    title: 'the machine itself is served by all its names, nothing else is',
  },
  port: {
    by: 'test/journeys/advice.test.ts',
    title: 'folder that is open, a missing installation, a taken port, a full disk and a lost key',
  },
  damagedDocuments: {
    by: 'test/journeys/advice.test.ts',
    title: 'damaged documents: a backup in their place',
  },
  damagedColumns: {
    by: 'test/journeys/advice.test.ts',
    title: 'a copy of the folder is put in place, and only later lines of the logs are imported',
  },
  countedTwice: {
    untried: 'It asks for a report of what must not happen. No action changes the installation.',
  },
  doubtedList: {
    by: 'test/journeys/command-line.test.ts',
    title: 'ranges say how old and large each list is, and are fetched on demand',
  },
  oldLists: {
    by: 'test/journeys/command-line.test.ts',
    title: 'ranges say how old and large each list is, and are fetched on demand',
  },
  refusedHits: {
    by: 'test/journeys/advice.test.ts',
    title: 'folder that is open, a missing installation, a taken port, a full disk and a lost key',
  },
  shortMemory: {
    by: 'test/core/product/checks/checks.test.ts',
    title: 'sites whose repeats are recognised for less than 24 h are named; the others have theirs',
  },
  restarted: {
    by: 'test/core/product/checks/checks.test.ts',
    title: 'a process that ended by itself is warned of for a day, with what to do',
  },
  fullDisk: {
    by: 'test/journeys/advice.test.ts',
    title: 'folder that is open, a missing installation, a taken port, a full disk and a lost key',
  },
  clickhouseAway: {
    by: 'test/ingest/flush/flusher.test.ts',
    title: 'nothing is lost while ClickHouse is down, and it is not asked in a rush',
  },
  clickhouseRights: {
    untried:
      'The stand-in of ClickHouse has one user. The words follow the codes of errors in journal-check.test.ts.',
  },
  clickhouseTables: {
    by: 'test/ingest/flush/flusher.test.ts',
    title: 'it waits for tables that the core has not made yet',
  },
  clickhouseReadOnly: {
    untried:
      'Needs a replicated server with Keeper, which no test has. The codes are tested in journal-check.test.ts.',
  },
  clickhouseFull: {
    untried: 'Needs a server without memory or disk. The codes are tested in journal-check.test.ts.',
  },
  clickhouseOther: { untried: 'It sends the reader to the log of ClickHouse, which is not ours.' },
  clickhouseSlow: {
    by: 'test/ingest/flush/flusher.test.ts',
    title: 'it stops at once, and what is left is taken by the next one',
  },
  waitsForClickhouse: {
    by: 'test/ingest/flush/flusher.test.ts',
    title: 'nothing is lost while ClickHouse is down, and it is not asked in a rush',
  },
  ingestSecret: {
    by: 'test/ingest/flush/flusher.test.ts',
    title:
      'where several processes count, a batch that another has is left out, and all waits while nobody can say',
  },
  oldGateway: { untried: 'Needs a gateway of a version without claims, which was never released.' },
  gatewayAway: {
    by: 'test/ingest/flush/flusher.test.ts',
    title:
      'where several processes count, a batch that another has is left out, and all waits while nobody can say',
  },
  waitsForGateway: {
    by: 'test/ingest/flush/flusher.test.ts',
    title:
      'where several processes count, a batch that another has is left out, and all waits while nobody can say',
  },
  setAside: {
    by: 'test/ingest/flush/flush-loop.test.ts',
    title: 'a segment that was set aside is counted once when it is moved back after its cause is gone',
  },
  damagedSegments: {
    by: 'test/ingest/flush/flusher.test.ts',
    title: 'a damaged segment that is put back while the flusher runs is counted once',
  },
  noModelAnswer: {
    by: 'test/core/product/checks/model-check.test.ts',
    title: 'a model whose answer is a fault of kind',
  },
  later: {
    by: 'test/core/product/checks/model-check.test.ts',
    title: 'a model whose answer is a fault of kind',
  },
  modelJson: {
    by: 'test/core/product/checks/model-check.test.ts',
    title: 'a model whose answer is a fault of kind',
  },
  modelSettings: {
    by: 'test/core/cli/doctor.test.ts',
    title: 'a language model is asked once, and what it answers is reported',
  },
  mailServer: {
    by: 'test/core/product/checks/setup-checks.test.ts',
    title: 'the mail server is signed in to, and nothing is sent',
  },
  noAgency: {
    by: 'test/core/product/checks/setup-checks.test.ts',
    title: 'an installation without an agency is told how to create one',
  },
  noAccount: {
    by: 'test/core/product/checks/setup-checks.test.ts',
    title: 'sources are connected accounts that work, and credentials of plugins',
  },
  blockedLoop: {
    untried: 'It sends the reader to a log and to the load of the machine, which no test decides.',
  },
}

/** The tests of what the checks of plugins say. */
export const pluginProofs: Readonly<Record<string, Proof>> = {
  'Trackers with a budget do not ask it. Update its plugin, or remove the budget.': {
    untried: 'Nobody can update a plugin in a test. A budget is removed in the tests of the tracking page.',
  },
  'Set the price, so that budgets count what answers cost.': {
    by: 'test/plugins/visibility/engines/engine-check.test.ts',
    title: 'an engine without access is listed with the settings that it needs, and not asked',
  },
  'Set ${setting} to another model. Its answers begin a new series: rates before and after are not comparable.':
    {
      by: 'test/plugins/visibility/engines/engine-check.test.ts',
      title: 'a model that ends is told of 60 days ahead, by the list of the engine',
    },
  'Check its key and address in the settings.': {
    by: 'test/plugins/visibility/engines/engine-check.test.ts',
    title: 'a key that is refused fails, and a list that cannot be read proves nothing',
  },
  'Run doctor again later.': {
    by: 'test/plugins/visibility/engines/engine-check.test.ts',
    title: 'a key that is refused fails, and a list that cannot be read proves nothing',
  },
  'New agents are not counted until the mirror works. Try `bun renown registry refresh`.': {
    by: 'test/plugins/traffic/registry/renewRegistry.test.ts',
    title: 'a mirror that %s changes nothing, and that is told',
  },
  'It is still used. Ask the maintainer of the mirror for a new file.': {
    by: 'test/plugins/traffic/registry/renewRegistry.test.ts',
    title: 'is told as expired when its time is over, and still used',
  },
}
