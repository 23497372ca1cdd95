/**
 * Who may call which route, and the status that each caller gets. The flows are closed, on a server that only this
 * machine can reach. `routes.test.ts` sends every route with every caller in every spelling; a route that is not in this
 * table, or a line without a route, fails there.
 *
 * - scope: what a key needs; with `a/b` either will do; `-` asks for none
 * - none, wrong, other: no key, a key that does not exist, a key of another flow
 * - expired: a key of the flow with all scopes, after its end
 * - narrow: a key of the flow with all scopes for flows but the needed one
 * - right: a key with the needed scope and no other (where none is needed, a key of the flow)
 * - manager: the management key
 * - missing: without a key, for an id that does not exist
 * - OPTIONS: what a page of another site asks beforehand
 */
export const ROUTES = `
route                                          scope         none wrong expired other narrow right manager missing OPTIONS
GET /api/v1/ping                               -             200  200   200     200   200    200   200     -       404
GET /api/v1/version                            -             200  200   200     200   200    200   200     -       404
GET /healthz                                   -             200  200   200     200   200    200   200     -       404
GET /api/v1/healthz                            -             200  200   200     200   200    200   200     -       404
GET /readyz                                    -             200  200   200     200   200    200   200     -       404
GET /api/v1/readyz                             -             200  200   200     200   200    200   200     -       404
GET /metrics                                   -             200  200   200     200   200    200   200     -       404
POST /api/v1/vector/upsert/:flowId             upsert        401  401   401     401   403    200   200     404     204
POST /api/v1/vector/dry-run/:flowId            upsert        401  401   401     401   403    200   200     404     404
DELETE /api/v1/vector/upsert/:flowId           upsert        401  401   401     401   403    200   200     404     204
POST /api/v1/vector/query/:flowId              query         401  401   401     401   403    200   200     404     404
GET /api/v1/vector/query/:flowId               query         401  401   401     401   403    200   200     404     404
POST /api/v1/mcp/:flowId                       query/predict 401  401   401     401   403    200   200     404     404
GET /api/v1/mcp/:flowId                        query/predict 401  401   401     401   403    405   405     404     404
DELETE /api/v1/mcp/:flowId                     query/predict 401  401   401     401   403    405   405     404     404
POST /api/v1/prediction/:flowId                predict       401  401   401     401   403    200   200     404     204
POST /api/v1/internal-prediction/:id           manage        401  401   401     403   403    200   200     401     404
POST /v1/chat/completions                      predict       401  401   401     401   403    200   200     -       404
GET /v1/models                                 -             200  200   200     200   200    200   200     -       404
GET /v1/models/:model                          predict       404  404   404     404   404    200   200     404     404
POST /v1/embeddings                            -             200  200   200     200   200    200   200     -       404
GET /api/v1/chatflows-streaming/:flowId        -             200  200   200     200   200    200   200     404     204
GET /api/v1/public-chatbotConfig/:flowId       -             200  200   200     200   200    200   200     404     204
POST /api/v1/attachments/:flowId/:chatId       predict       401  401   401     401   403    200   200     404     204
GET /api/v1/get-upload-file                    -             403  403   403     403   403    403   403     -       404
GET /api/v1/chatmessage/:flowId                predict       401  401   401     401   403    200   200     404     404
DELETE /api/v1/chatmessage/:id                 manage        401  401   401     403   403    200   200     401     404
GET /api/v1/chatflows/:id/conversations        manage        401  401   401     403   403    200   200     401     404
GET /api/v1/executions                         manage        401  401   401     403   403    200   200     -       404
DELETE /api/v1/executions                      manage        401  401   401     403   403    200   200     -       404
GET /api/v1/executions/:id                     manage        401  401   401     403   403    200   200     401     404
DELETE /api/v1/executions/:id                  manage        401  401   401     403   403    200   200     401     404
GET /api/v1/runs                               manage        401  401   401     403   403    200   200     -       404
GET /api/v1/runs/:id                           manage        401  401   401     403   403    200   200     401     404
GET /api/v1/runs/:id/events                    manage        401  401   401     403   403    200   200     401     404
POST /api/v1/runs/:id/again                    manage        401  401   401     403   403    200   200     401     404
PUT /api/v1/chatmessage/abort/:flowId/:chatId  predict       401  401   401     401   403    200   200     404     204
POST /api/v1/feedback/:flowId                  predict       401  401   401     401   403    200   200     404     204
PUT /api/v1/feedback/:id                       predict       401  401   401     401   403    200   200     404     204
GET /api/v1/feedback/:id                       manage        401  401   401     403   403    200   200     401     204
POST /api/v1/leads                             predict       401  401   401     401   403    200   200     -       204
GET /api/v1/leads/:id                          manage        401  401   401     403   403    200   200     401     404
GET /api/v1/tools                              manage        401  401   401     403   403    200   200     -       404
POST /api/v1/tools                             manage        401  401   401     403   403    200   200     -       404
POST /api/v1/tools/try                         manage        401  401   401     403   403    200   200     -       404
GET /api/v1/tools/:id                          manage        401  401   401     403   403    200   200     401     404
PUT /api/v1/tools/:id                          manage        401  401   401     403   403    200   200     401     404
DELETE /api/v1/tools/:id                       manage        401  401   401     403   403    200   200     401     404
GET /api/v1/variables                          -             401  401   401     200   200    200   200     -       404
POST /api/v1/variables                         manage        401  401   401     403   403    200   200     -       404
GET /api/v1/variables/:id                      manage        401  401   401     403   403    200   200     401     404
PUT /api/v1/variables/:id                      manage        401  401   401     403   403    200   200     401     404
DELETE /api/v1/variables/:id                   manage        401  401   401     403   403    200   200     401     404
POST /api/v1/vector/reindex/:flowId            upsert        401  401   401     401   403    200   200     404     404
POST /api/v1/vector/repair/:flowId             manage        401  401   401     403   403    409   409     401     404
GET /api/v1/questions/:flowId                  manage        401  401   401     403   403    200   200   401     404
POST /api/v1/questions/:flowId                 manage        401  401   401     403   403    200   200   401     404
PATCH /api/v1/questions/:flowId/:questionId    manage        401  401   401     403   403    200   200   401     404
GET /api/v1/questions/:flowId/export           manage        401  401   401     403   403    200   200   401     404
POST /api/v1/questions/:flowId/import          manage        401  401   401     403   403    200   200   401     404
POST /api/v1/questions/:flowId/proposals       manage        401  401   401     403   403    200   200   401     404
GET /api/v1/questions/:flowId/feedback         manage        401  401   401     403   403    200   200   401     404
POST /api/v1/compare/:flowId                   manage        401  401   401     403   403    202   202   401     404
GET /api/v1/compare/:flowId                    manage        401  401   401     403   403    200   200   401     404
GET /api/v1/compare/:flowId/:jobId             manage        401  401   401     403   403    200   200   401     404
POST /api/v1/eval/:flowId                      manage        401  401   401     403   403    200   200   401     404
GET /api/v1/eval/:flowId/runs                  manage        401  401   401     403   403    200   200   401     404
GET /api/v1/eval/:flowId/runs/:runId           manage        401  401   401     403   403    200   200   401     404
DELETE /api/v1/questions/:flowId/:questionId   manage        401  401   401     403   403    200   200   401     404
DELETE /api/v1/questions/:flowId               manage        401  401   401     403   403    200   200   401     404
GET /api/v1/vector/refresh/:flowId             upsert        401  401   401     401   403    200   200     404     404
POST /api/v1/vector/refresh/:flowId            upsert        401  401   401     401   403    200   200     404     404
GET /api/v1/vector/sources/:flowId             upsert        401  401   401     401   403    200   200     404     404
GET /api/v1/vector/fields/:flowId              query/upsert  401  401   401     401   403    200   200     404     404
GET /api/v1/vector/sources/:flowId/text        query/upsert  401  401   401     401   403    200   200     404     404
GET /api/v1/vector/sources/:flowId/trace       query/upsert  401  401   401     401   403    200   200     404     404
GET /api/v1/vector/sources/:flowId/questions   manage        401  401   401     403   403    200   200     401     404
GET /api/v1/vector/sources/:flowId/original    upsert        401  401   401     401   403    404   404     404     404
GET /api/v1/vector/failed/:flowId              upsert        401  401   401     401   403    200   200     404     404
POST /api/v1/vector/failed/:flowId/retry       upsert        401  401   401     401   403    404   404     404     404
POST /api/v1/vector/failed/:flowId/forget      upsert        401  401   401     401   403    200   200     404     404
POST /api/v1/vector/sources/:flowId/restore    upsert        401  401   401     401   403    200   200     404     404
GET /api/v1/vector/chunks/:flowId              query/upsert  401  401   401     401   403    200   200     404     404
GET /api/v1/document-store/store               -             401  401   401     200   200    200   200     -       404
POST /api/v1/document-store/store              manage        401  401   401     403   403    200   200     -       404
GET /api/v1/document-store/store/:flowId       query/upsert  401  401   401     401   403    200   200     404     404
PUT /api/v1/document-store/store/:id           manage        401  401   401     403   403    200   200     401     404
DELETE /api/v1/document-store/store/:id        manage        401  401   401     403   403    200   200     401     404
GET /api/v1/document-store/components/loaders  manage        401  401   401     403   403    200   200     -       404
GET /api/v1/document-store/components/embeddings manage      401  401   401     403   403    200   200     -       404
GET /api/v1/document-store/components/vectorstore manage     401  401   401     403   403    200   200     -       404
GET /api/v1/document-store/components/recordmanager manage   401  401   401     403   403    200   200     -       404
POST /api/v1/document-store/loader/preview     manage        401  401   401     403   403    200   200     -       404
POST /api/v1/document-store/loader/save        manage        401  401   401     403   403    200   200     -       404
POST /api/v1/document-store/loader/process/:loaderId upsert  401  401   401     401   403    200   200     401     404
DELETE /api/v1/document-store/loader/:id/:loaderId manage    401  401   401     403   403    404   404     401     404
POST /api/v1/document-store/upsert/:flowId     upsert        401  401   401     401   403    200   200     404     404
POST /api/v1/document-store/refresh/:flowId    upsert        401  401   401     401   403    200   200     404     404
POST /api/v1/document-store/vectorstore/query  query         401  401   401     401   403    200   200     -       404
POST /api/v1/document-store/vectorstore/save   manage        401  401   401     403   403    200   200     -       404
POST /api/v1/document-store/vectorstore/update manage        401  401   401     403   403    200   200     -       404
POST /api/v1/document-store/vectorstore/insert manage        401  401   401     403   403    200   200     -       404
DELETE /api/v1/document-store/vectorstore/:id  manage        401  401   401     403   403    200   200     401     404
GET /api/v1/document-store/chunks/:flowId/:loaderId/:page query/upsert 401 401 401 401 403 200 200 404 404
PUT /api/v1/document-store/chunks/:flowId/:loaderId/:chunkId upsert 401 401 401 401 403 404 404 404 404
DELETE /api/v1/document-store/chunks/:flowId/:loaderId/:chunkId upsert 401 401 401 401 403 404 404 404 404
GET /api/v1/document-store/edits/:flowId       upsert        401  401   401     401   403    200   200     404     404
DELETE /api/v1/document-store/edits/:flowId/:editId upsert   401  401   401     401   403    404   404     404     404
GET /api/v1/jobs                               manage        401  401   401     403   403    200   200     -       404
GET /api/v1/jobs/:id                           upsert        401  401   401     401   403    200   200     404     404
GET /api/v1/jobs/:id/events                    upsert        401  401   401     401   403    200   200     404     404
GET /api/v1/jobs/events                        -             401  401   401     200   200    200   200     -       404
GET /api/v1/jobs/:id/files                     upsert        401  401   401     401   403    200   200     404     404
GET /api/v1/jobs/:id/failures                  upsert        401  401   401     401   403    200   200     404     404
GET /api/v1/jobs/:id/sources                   upsert        401  401   401     401   403    200   200     404     404
GET /api/v1/jobs/:id/chunks                    upsert        401  401   401     401   403    200   200     404     404
POST /api/v1/jobs/:id/cancel                   upsert        401  401   401     401   403    409   409     404     404
POST /api/v1/jobs/:id/retry                    upsert        401  401   401     401   403    409   409     404     404
GET /api/v1/upsert-history/:flowId             manage        401  401   401     403   403    200   200     401     404
GET /api/v1/upsert-history/:flowId/:id         manage        401  401   401     403   403    200   200     401     404
GET /api/v1/stats                              manage        401  401   401     403   403    200   200     -       404
GET /api/v1/stats/:flowId                      manage        401  401   401     403   403    200   200     401     404
PATCH /api/v1/upsert-history/:flowId           manage        401  401   401     403   403    200   200     401     404
PATCH /api/v1/upsert-history                   manage        401  401   401     403   403    200   200     -       404
GET /api/v1/chatflows                          -             401  401   401     200   200    200   200     -       404
POST /api/v1/chatflows                         manage        401  401   401     403   403    200   200     -       404
POST /api/v1/chatflows/import                  manage        401  401   401     403   403    200   200     -       404
POST /api/v1/export-import/import              manage        401  401   401     403   403    200   200     -       404
POST /api/v1/export-import/export              manage        401  401   401     403   403    200   200     -       404
GET /api/v1/chatflows/:id                      manage        401  401   401     403   403    200   200     401     404
PUT /api/v1/chatflows/:id                      manage        401  401   401     403   403    200   200     401     404
DELETE /api/v1/chatflows/:id                   manage        401  401   401     403   403    200   200     401     404
POST /api/v1/chatflows/:id/restore             manage        401  401   401     403   403    404   404     401     404
GET /api/v1/flows                              manage        401  401   401     403   403    200   200     -       404
GET /api/v1/flows/deleted                      manage        401  401   401     403   403    200   200     -       404
GET /api/v1/flow-templates                     manage        401  401   401     403   403    200   200     -       404
POST /api/v1/flows/validate                    manage        401  401   401     403   403    200   200     -       404
POST /api/v1/flows/text                        manage        401  401   401     403   403    200   200     -       404
GET /api/v1/chatflows/:id/text                 manage        401  401   401     403   403    200   200     401     404
PUT /api/v1/chatflows/:id/text                 manage        401  401   401     403   403    200   200     401     404
GET /api/v1/chatflows/:id/revisions            manage        401  401   401     403   403    200   200     401     404
GET /api/v1/chatflows/:id/revisions/:number    manage        401  401   401     403   403    200   200     401     404
POST /api/v1/chatflows/:id/revisions/:number/restore manage  401  401   401     403   403    200   200     401     404
GET /api/v1/chatflows/:id/draft                manage        401  401   401     403   403    200   200     401     404
PUT /api/v1/chatflows/:id/draft                manage        401  401   401     403   403    200   200     401     404
DELETE /api/v1/chatflows/:id/draft             manage        401  401   401     403   403    200   200     401     404
POST /api/v1/chatflows/:id/draft/publish       manage        401  401   401     403   403    404   404     401     404
GET /api/v1/chatflows/:id/settings             manage        401  401   401     403   403    200   200     401     404
PATCH /api/v1/chatflows/:id/settings           manage        401  401   401     403   403    200   200     401     404
GET /api/v1/chatflows/:id/export               manage        401  401   401     403   403    200   200     401     404
GET /api/v1/apikey                             manage        401  401   401     403   403    200   200     -       404
POST /api/v1/apikey                            manage        401  401   401     403   403    200   200     -       404
GET /api/v1/apikey/verify                      -             401  401   401     200   200    200   200     -       404
GET /api/v1/verify/apikey/:key                 -             200  200   200     200   200    200   200     401     404
PUT /api/v1/apikey/:id                         manage        401  401   401     403   403    200   200     401     404
POST /api/v1/apikey/:id/rotate                 manage        401  401   401     403   403    200   200     401     404
DELETE /api/v1/apikey/:id                      manage        401  401   401     403   403    200   200     401     404
GET /api/v1/nodes                              -             401  401   401     200   200    200   200     -       404
GET /api/v1/nodes/:name                        -             401  401   401     200   200    200   200     401     404
POST /api/v1/node-load-method/:name            manage        401  401   401     403   403    422   422     401     404
GET /api/v1/flow-config/:id                    manage        401  401   401     403   403    200   200     401     404
GET /api/v1/components-credentials             manage        401  401   401     403   403    200   200     -       404
GET /api/v1/components-credentials/:name       manage        401  401   401     403   403    200   200     401     404
GET /api/v1/credentials                        manage        401  401   401     403   403    200   200     -       404
POST /api/v1/credentials                       manage        401  401   401     403   403    200   200     -       404
GET /api/v1/credentials/:id                    manage        401  401   401     403   403    200   200     401     404
PUT /api/v1/credentials/:id                    manage        401  401   401     403   403    200   200     401     404
POST /api/v1/credentials/:id/test              manage        401  401   401     403   403    200   200     401     404
POST /api/v1/components-credentials/:name/test manage        401  401   401     403   403    200   200     401     404
GET /api/v1/chatflows/:id/requests             manage        401  401   401     403   403    200   200     401     404
DELETE /api/v1/credentials/:id                 manage        401  401   401     403   403    200   200     401     404
GET /                                          -             200  200   200     200   200    200   200     -       404
GET /guide                                     -             200  200   200     200   200    200   200     -       404
GET /chatbot/:flowId                           -             404  404   404     404   404    404   200     404     204
GET /flows                                     -             200  200   200     200   200    200   200     -       404
GET /flows/:id                                 -             200  200   200     200   200    200   200     200     404
GET /flows/:id/ask                             -             200  200   200     200   200    200   200     200     404
GET /flows/:id/documents                       -             200  200   200     200   200    200   200     200     404
GET /flows/:id/documents/:source               -             200  200   200     200   200    200   200     200     404
GET /flows/:id/compare                         -             200  200   200     200   200    200   200     200     404
GET /flows/:id/questions                       -             200  200   200     200   200    200   200     200     404
GET /flows/:id/history                         -             200  200   200     200   200    200   200     200     404
GET /flows/:id/api                             -             200  200   200     200   200    200   200     200     404
GET /flows/:id/configuration                   -             200  200   200     200   200    200   200     200     404
GET /flows/:id/revisions                       -             200  200   200     200   200    200   200     200     404
GET /jobs                                      -             200  200   200     200   200    200   200     -       404
GET /executions                                -             200  200   200     200   200    200   200     -       404
GET /document-stores                           -             200  200   200     200   200    200   200     -       404
GET /document-stores/:id                       -             200  200   200     200   200    200   200     200     404
GET /document-stores/:id/chunks/:loaderId      -             200  200   200     200   200    200   200     200     404
GET /credentials                               -             200  200   200     200   200    200   200     -       404
GET /tools                                     -             200  200   200     200   200    200   200     -       404
GET /variables                                 -             200  200   200     200   200    200   200     -       404
GET /keys                                      -             200  200   200     200   200    200   200     -       404
GET /assets/:name                              -             404  404   404     404   404    404   404     404     404
GET /docs                                      -             200  200   200     200   200    200   200     -       404
GET /api/v1/docs                               -             200  200   200     200   200    200   200     -       404
GET /docs/try.js                               -             200  200   200     200   200    200   200     -       404
GET /docs/style.css                            -             200  200   200     200   200    200   200     -       404
GET /openapi.json                              -             200  200   200     200   200    200   200     -       404
GET /api/v1/openapi.json                       -             200  200   200     200   200    200   200     -       404
GET /api/v1/session                            -             200  200   200     200   200    200   200     -       404
POST /api/v1/session                           -             200  200   200     200   200    200   200     -       404
DELETE /api/v1/session                         -             200  200   200     200   200    200   200     -       404
POST /api/v1/session/codes                     manage        401  401   401     403   403    200   200     -       404
GET /api/v1/audit                              manage        401  401   401     403   403    200   200     -       404
`

/**
 * What each route does for a key with pins, except routes of the management, which all refuse it.
 *
 * - open: all may call it, with the same answer
 * - harmless: it gives and changes nothing that was loaded or asked
 * - fenced: it works within the pins
 * - refused: 403 `pinned_key_refused`
 *
 * The number is the status that the example of the documentation gets, for ids of things that a manager made.
 */
export const PINNED_ROUTES = `
GET /api/v1/ping                               open 200
GET /api/v1/version                            open 200
GET /healthz                                   open 200
GET /api/v1/healthz                            open 200
GET /readyz                                    open 200
GET /api/v1/readyz                             open 200
GET /metrics                                   refused 403
POST /api/v1/vector/upsert/:flowId             fenced 200
POST /api/v1/vector/dry-run/:flowId            fenced 200
GET /api/v1/document-store/store               refused 403
GET /api/v1/document-store/store/:flowId       refused 403
POST /api/v1/document-store/loader/process/:loaderId refused 403
POST /api/v1/document-store/upsert/:flowId     fenced 200
POST /api/v1/document-store/refresh/:flowId    fenced 200
POST /api/v1/document-store/vectorstore/query  fenced 200
GET /api/v1/document-store/chunks/:flowId/:loaderId/:page refused 403
PUT /api/v1/document-store/chunks/:flowId/:loaderId/:chunkId refused 403
DELETE /api/v1/document-store/chunks/:flowId/:loaderId/:chunkId refused 403
GET /api/v1/document-store/edits/:flowId       refused 403
DELETE /api/v1/document-store/edits/:flowId/:editId refused 403
DELETE /api/v1/vector/upsert/:flowId           fenced 200
POST /api/v1/vector/query/:flowId              fenced 200
GET /api/v1/vector/query/:flowId               fenced 200
POST /api/v1/mcp/:flowId                       fenced 200
GET /api/v1/mcp/:flowId                        fenced 405
DELETE /api/v1/mcp/:flowId                     fenced 405
POST /api/v1/prediction/:flowId                fenced 403
POST /v1/chat/completions                      fenced 200
GET /v1/models                                 open 200
GET /v1/models/:model                          open 200
POST /v1/embeddings                            harmless 200
GET /api/v1/chatflows-streaming/:flowId        open 200
GET /api/v1/public-chatbotConfig/:flowId       open 200
POST /api/v1/attachments/:flowId/:chatId       harmless 200
GET /api/v1/get-upload-file                    open 403
PUT /api/v1/chatmessage/abort/:flowId/:chatId  fenced 200
GET /api/v1/chatmessage/:flowId                fenced 403
GET /api/v1/variables                          harmless 200
GET /api/v1/nodes                              harmless 200
GET /api/v1/nodes/:name                        harmless 200
POST /api/v1/feedback/:flowId                  fenced 403
PUT /api/v1/feedback/:id                       fenced 403
POST /api/v1/leads                             harmless 200
POST /api/v1/vector/reindex/:flowId            refused 403
GET /api/v1/vector/refresh/:flowId             fenced 200
POST /api/v1/vector/refresh/:flowId            fenced 200
GET /api/v1/vector/sources/:flowId             fenced 200
GET /api/v1/vector/fields/:flowId              fenced 200
GET /api/v1/vector/sources/:flowId/text        fenced 200
GET /api/v1/vector/sources/:flowId/trace       fenced 404
GET /api/v1/vector/sources/:flowId/original    fenced 404
GET /api/v1/vector/failed/:flowId              fenced 200
POST /api/v1/vector/failed/:flowId/retry       fenced 404
POST /api/v1/vector/failed/:flowId/forget      fenced 200
POST /api/v1/vector/sources/:flowId/restore    fenced 200
GET /api/v1/vector/chunks/:flowId              fenced 200
GET /api/v1/jobs/:id                           fenced 404
GET /api/v1/jobs/:id/events                    fenced 404
GET /api/v1/jobs/events                        fenced 200
GET /api/v1/jobs/:id/files                     fenced 404
GET /api/v1/jobs/:id/failures                  fenced 404
GET /api/v1/jobs/:id/sources                   fenced 404
GET /api/v1/jobs/:id/chunks                    fenced 404
POST /api/v1/jobs/:id/cancel                   fenced 404
POST /api/v1/jobs/:id/retry                    fenced 404
GET /api/v1/chatflows                          harmless 200
GET /api/v1/apikey/verify                      harmless 200
GET /api/v1/verify/apikey/:key                 open 200
GET /                                          open 200
GET /guide                                     open 200
GET /chatbot/:flowId                           open 404
GET /flows                                     open 200
GET /flows/:id                                 open 200
GET /flows/:id/ask                             open 200
GET /flows/:id/documents                       open 200
GET /flows/:id/documents/:source               open 200
GET /flows/:id/compare                         open 200
GET /flows/:id/questions                       open 200
GET /flows/:id/history                         open 200
GET /flows/:id/api                             open 200
GET /flows/:id/configuration                   open 200
GET /flows/:id/revisions                       open 200
GET /jobs                                      open 200
GET /executions                                open 200
GET /document-stores                           open 200
GET /document-stores/:id                       open 200
GET /document-stores/:id/chunks/:loaderId      open 200
GET /credentials                               open 200
GET /tools                                     open 200
GET /variables                                 open 200
GET /keys                                      open 200
GET /assets/:name                              open 404
GET /docs                                      open 200
GET /api/v1/docs                               open 200
GET /docs/try.js                               open 200
GET /docs/style.css                            open 200
GET /openapi.json                              open 200
GET /api/v1/openapi.json                       open 200
GET /api/v1/session                            open 200
POST /api/v1/session                           open 200
DELETE /api/v1/session                         open 200
`
