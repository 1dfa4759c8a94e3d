// The paths by which programs report what they used of a spool, and what a scale shows.
import { setImmediate as eventLoop } from 'node:timers/promises';
import { orNotFound } from '../../errors';
import { Body } from './body';
import { requireId, show } from './object-routes';
import { defineRoutes } from './route';

export const USAGE_ROUTES = defineRoutes({
  'PUT /spool/{id}/use': async (api, request, context) => {
    const number = requireId('spool', request);
    const { address, userAgent, exchange } = request.client;
    const body = Body.parse(request.body).values;
    const caller = context.caller.displayName ?? address;
    await api.reportedUses.report({ number, body, caller, userAgent, exchange }, context);
    const answer = await show(api.parts, 'spool', number);
    // A client that has given up meanwhile is noticed before the answer is written: its report must count as not answered.
    for (let turn = 0; turn < 2; turn += 1) await eventLoop();
    return answer;
  },
  'PUT /spool/{id}/measure': (api, request, context) => {
    const number = requireId('spool', request);
    return api.write(async (parts) => {
      const { id } = orNotFound(await parts.store.lockSpool(number), 'spool', String(number));
      await parts.adjustments.measure(id, Body.parse(request.body).values['weight'], context);
      return show(parts, 'spool', number);
    });
  },
});
