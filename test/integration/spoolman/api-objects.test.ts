// Spools, filaments and vendors in the API for Spoolman's clients: what they show, and what clients write.

import { describeOnDatabases } from '../../support/databases';
import { test, useGateway } from '../../support/gateway';
import { spoolmanClient } from '../../support/spoolman-reader';

describeOnDatabases('the API for clients of Spoolman', (kind) => {
  const gateway = useGateway(kind);
  const client = spoolmanClient(gateway);

  test('a vendor, a filament and a spool are created and shown', async () => {
    const vendor = await client.ok('POST', '/vendor', {
      name: 'Prusament',
      empty_spool_weight: '186.50',
      comment: 'CZ',
    });
    const filament = await client.ok('POST', '/filament', {
      name: 'Galaxy Black',
      vendor_id: vendor.id,
      material: 'PLA',
      density: 1.24,
      diameter: 1.75,
      weight: '1000',
      price: 29.9,
      spool_weight: 186.5,
      color_hex: '#3d3e3dff',
      settings_extruder_temp: 215,
      settings_bed_temp: '60',
      article_number: 'PM-1',
      external_id: 'x1',
    });
    expect(filament).toEqual({
      id: expect.any(Number),
      registered: expect.any(String),
      name: 'Galaxy Black',
      vendor,
      material: 'PLA',
      price: 29.9,
      density: 1.24,
      diameter: 1.75,
      weight: 1000,
      spool_weight: 186.5,
      article_number: 'PM-1',
      settings_extruder_temp: 215,
      settings_bed_temp: 60,
      color_hex: '3D3E3D',
      external_id: 'x1',
      extra: {},
      tags: [],
    });
    const spool = await client.ok('POST', '/spool/', {
      filament_id: filament.id,
      used_weight: 250.5,
      location: 'Shelf A',
      lot_nr: 'L1',
    });
    expect(spool).toMatchObject({
      filament: { id: filament.id, name: 'Galaxy Black', vendor: { id: vendor.id } },
      price: 29.9,
      remaining_weight: 749.5,
      initial_weight: 1000,
      used_weight: 250.5,
      spool_weight: 186.5,
      location: 'Shelf A',
      lot_nr: 'L1',
      archived: false,
      remaining_length: 251295.07,
      tags: [],
    });
    expect(await client.ok('GET', `/spool/${spool.id}/`)).toEqual(spool);
    expect((await gateway.sql(`select spool_serial from spools where number = ${spool.id}`))[0].spool_serial).toBe(
      String(spool.id),
    );
  });
});
