import { form, makePlatform, testScenarios } from '../support/platform.ts'

const file = () => form({ 'a.txt': 'Otters hold hands while they sleep.' })
const upsert = '/api/v1/vector/upsert/quickstart'

const exposed = await makePlatform({ HOST: '0.0.0.0' })
const key = await exposed.key({ flows: ['quickstart'] })
const reader = await exposed.key({ flows: ['quickstart'], scopes: ['query'] })
const trusting = await makePlatform({ HOST: '0.0.0.0', ALLOW_OPEN_UPSERT: 'true' })

testScenarios(exposed, [
  {
    name: 'an open flow refuses uploads from other machines, and names what to do [upsert:auth]',
    method: 'POST',
    path: upsert,
    body: file(),
    status: 401,
    expect: { code: 'open_upsert_refused', error: 'Unauthorized Access' },
    contains: ['Unauthorized', 'apikeyid', 'ALLOW_OPEN_UPSERT'],
  },
  {
    name: 'an open flow refuses deletions beyond this machine',
    method: 'DELETE',
    path: `${upsert}?source=a.txt`,
    status: 401,
    expect: { code: 'open_upsert_refused' },
  },
  {
    name: 'an open flow takes uploads from a key that lists it [upsert:auth]',
    method: 'POST',
    path: upsert,
    key: key.apiKey,
    body: file(),
    status: 200,
    expect: { numFailed: 0 },
  },
  {
    name: 'an open flow refuses uploads of a key without the scope, and names the scope [upsert:auth:scope]',
    method: 'POST',
    path: upsert,
    key: reader.apiKey,
    body: file(),
    status: 403,
    expect: { code: 'scope_missing' },
    contains: ['this needs the scope upsert'],
  },
  {
    name: 'an open flow still answers questions beyond this machine',
    path: '/api/v1/vector/query/quickstart?q=otters',
    status: 200,
    contains: ['Otters hold hands'],
  },
  { name: 'an open flow still lists its sources', path: '/api/v1/vector/sources/quickstart', status: 200 },
  { name: 'management stays closed beyond this machine', path: '/api/v1/chatflows', status: 401 },
])

testScenarios(trusting, [
  {
    name: 'an open flow takes uploads from other machines if ALLOW_OPEN_UPSERT is set [upsert:auth]',
    method: 'POST',
    path: upsert,
    body: file(),
    status: 200,
    expect: { numFailed: 0 },
  },
])
