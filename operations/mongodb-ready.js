// The health check of MongoDB, for mongosh. The first one makes the replica set of one member and its users. From then on it says
// whether there is a primary. With a key file and no user yet, MongoDB lets a client on its own machine do this, and nobody else.
const fs = require('node:fs')

const password = (name) => fs.readFileSync(`/passwords/${name}`, 'utf8')
const client = (credentials) =>
  connect(`mongodb://${credentials}127.0.0.1:27017/admin?directConnection=true&serverSelectionTimeoutMS=5000`)
const quietly = (work) => {
  try {
    return work()
  } catch {
    return null
  }
}

let db = client('')
quietly(() =>
  db.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] } }),
)
if (!db.hello().isWritablePrimary) quit(1)
quietly(() => db.createUser({ user: 'root', pwd: password('root-password'), roles: ['root'] }))
db = client(`root:${encodeURIComponent(password('root-password'))}@`)
const renown = db.getSiblingDB('renown')
if (renown.getUser('renown') === null) {
  renown.createUser({
    user: 'renown',
    pwd: password('renown-password'),
    roles: [{ role: 'dbOwner', db: 'renown' }],
  })
}
quit(0)
