// The example operations in the first tabs of the playground. A test validates each example against the schema.

export interface Example {
  query: string;
  /** JSON for the variables pane. */
  variables?: string;
}

const unknownId = '00000000-0000-0000-0000-000000000000';

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

export const examples: Example[] = [
  {
    query: `# The farm at a glance: printers, spools and materials with the ids that other tabs ask for.
# Run with Ctrl+Enter. Press Ctrl+Space inside braces to see what else there is.
query FarmAtAGlance {
  printers {
    totalCount
    nodes {
      id
      name
      jobs(first: 1, filter: { status: [PRINTING] }) {
        nodes {
          printName
          startedAt
        }
      }
    }
  }
  spools {
    totalCount
    nodes {
      id
      spoolSerial
      weightTotalGrams
      material {
        name
        densityGPerCm3
      }
    }
  }
  cameras {
    totalCount
  }
  waiting: printJobs(first: 1, filter: { status: [QUEUED] }) {
    totalCount
  }
}
`,
  },
  {
    query: `# Cameras with their latest status record. Try the filter: { online: false } or { batteryAtMost: 20 }.
query Cameras($filter: CameraFilter) {
  cameras(filter: $filter) {
    totalCount
    nodes {
      id
      friendlyName
      lastStatus {
        recordedAt
        online
        batteryPct
        videoRemainingSec
        recordingState
        mode
        resolution
        fps
      }
    }
  }
}
`,
    variables: json({ filter: {} }),
  },
  {
    query: `# A page of print jobs, newest first. For the next page pass pageInfo.endCursor as "after".
query Jobs($status: [PrintJobStatus!], $first: Int = 10, $after: String) {
  printJobs(filter: { status: $status }, first: $first, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      id
      printName
      status
      allowedTransitions
      mmExtruded
      gramsDerived
      costPerPrint
      startedAt
      completedAt
      printer {
        name
      }
      spool {
        spoolSerial
        material {
          name
        }
      }
    }
  }
}
`,
    variables: json({ status: ['QUEUED', 'PRINTING', 'COMPLETED'] }),
  },
  {
    query: `# A camera is known by the id that you give it. The same id or MAC address again is a CONFLICT.
mutation RegisterCamera($input: RegisterCameraInput!) {
  registerCamera(input: $input) {
    id
    friendlyName
    macAddress
    createdAt
  }
}
`,
    variables: json({
      input: { id: 'example-camera', friendlyName: 'Example camera', macAddress: '02:00:00:00:00:01' },
    }),
  },
  {
    query: `# Status records: all or nothing. Without recordedAt the gateway takes the time of arrival.
mutation RecordStatuses($input: [CameraStatusInput!]!) {
  recordCameraStatuses(input: $input) {
    id
    cameraId
    recordedAt
    online
    batteryPct
  }
}
`,
    variables: json({
      input: [
        {
          cameraId: 'example-camera',
          online: true,
          batteryPct: 87.5,
          videoRemainingSec: 5400,
          recordingState: 'recording',
          mode: 'timelapse',
          resolution: '1920x1080',
          fps: 30,
        },
      ],
    }),
  },
  {
    query: `# Paste the ids of a printer and a spool from the tab FarmAtAGlance into the variables.
# autoDeriveGrams takes diameter and density from the spool and computes the grams.
mutation CreateJob($input: CreatePrintJobInput!) {
  createPrintJob(input: $input) {
    id
    status
    gramsDerived
    filamentDiameterAtPrintMm
    materialDensityAtPrint
    printer {
      name
    }
  }
}
`,
    variables: json({
      input: {
        printerId: unknownId,
        spoolId: unknownId,
        printName: 'Cable clip x12',
        gcodeFilePath: '/gcode/cable-clip-x12.gcode',
        mmExtruded: '4210.5',
        costPerPrint: '0.38',
        dataSource: 'MANUAL',
        autoDeriveGrams: true,
      },
    }),
  },
  {
    query: `# Paste the id of a job. Its allowedTransitions say what is accepted now.
mutation ChangeStatus($id: ID!, $status: PrintJobStatus!) {
  changePrintJobStatus(id: $id, status: $status) {
    id
    status
    allowedTransitions
    startedAt
    completedAt
  }
}
`,
    variables: json({ id: unknownId, status: 'PRINTING' }),
  },
  {
    query: `# Every change as it is committed. Start it, then change a job in another tab or on the dashboard.
# "after" takes the cursor of a change: first comes what was missed since, then what comes.
subscription Changes($filter: ChangeFilter, $after: String) {
  changes(filter: $filter, after: $after) {
    cursor
    at
    __typename
    ... on CameraStatusRecorded {
      status {
        cameraId
        online
        batteryPct
      }
    }
    ... on PrintJobChanged {
      kind
      fromStatus
      toStatus
      job {
        printName
      }
    }
  }
}
`,
    variables: json({ filter: {} }),
  },
];
