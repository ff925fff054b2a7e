import { z } from 'zod';
import { deliveryResults, type listDeliveries } from '../../../inbox/list-deliveries.ts';
import { loggedPasses, type listPollLog } from '../../../polls/list-poll-log.ts';
import { shownPasses, type ListedPoll } from '../../../polls/list-polls.ts';
import { activityFilter, pollLogFilter } from '../../api/activity.ts';
import { jsonResponse, describeRoute } from '../route.ts';
import { after, count, next, time } from './shared.ts';

const delivery = z
  .strictObject({
    id: z.string(),
    source: z.enum(['shopify', 'print']),
    topic: z.string(),
    receivedAt: time,
    result: z.enum(deliveryResults),
    reason: z.string().nullable(),
    nextAt: time.nullable(),
    milliseconds: z.number().nullable(),
    order: z.strictObject({ orderId: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: 'Delivery', description: 'A webhook or an event, without its content.' });

const poll = z
  .strictObject({
    pass: z.enum(shownPasses),
    lastAt: time,
    milliseconds: z.number(),
    lastSucceededAt: time.nullable(),
    error: z.string().nullable(),
    found: count.nullable(),
  })
  .meta({ id: 'Poll' });

const loggedPoll = z
  .strictObject({
    id: z.string(),
    pass: z.enum(loggedPasses),
    firstAt: time,
    lastAt: time,
    runs: count,
    milliseconds: count.meta({ description: 'The duration of the longest run.' }),
    found: count,
    fixed: count.meta({ description: 'The number of changes that no webhook or event had reported.' }),
    failures: count,
    error: z.string().nullable(),
  })
  .meta({ id: 'LoggedPoll', description: 'The runs of a poll within an hour that found changes or failed.' });

export const activityRoutes = [
  describeRoute('GET /api/activity', {
    query: activityFilter.extend({ after }),
    answers: { 200: jsonResponse<typeof listDeliveries>()(z.strictObject({ deliveries: z.array(delivery), next })) },
    errors: [400],
  }),
  describeRoute('GET /api/activity/polls', {
    answers: { 200: jsonResponse<{ polls: ListedPoll[] }>()(z.strictObject({ polls: z.array(poll) })) },
  }),
  describeRoute('GET /api/activity/poll-log', {
    query: pollLogFilter.extend({ after }),
    answers: { 200: jsonResponse<typeof listPollLog>()(z.strictObject({ polls: z.array(loggedPoll), next })) },
    errors: [400],
  }),
];
