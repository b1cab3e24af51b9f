"""Words of the example article, written for this project; its authors, institutes and numbers are invented."""

from typing import Final

TITLE: Final = "Soil Moisture Sensing with Low-Cost Sensor Networks: Calibration, Energy and Irrigation Scheduling"
AUTHORS: Final = (
    "Marta Lindqvist<super size='7'>1</super>, Jonas Okafor<super size='7'>2</super> "
    "and Elif Sarandon<super size='7'>1</super>"
)
INSTITUTES: Final = (
    "<super size='6'>1</super>Institute of Field Hydrology, University of Norrvik",
    "<super size='6'>2</super>Department of Agricultural Engineering, Lagune College",
)
RUNNING_HEAD: Final = "Lindqvist et al.: Low-cost soil moisture sensing"

ABSTRACT: Final = """Irrigation scheduling needs soil moisture measured at many places, but commercial probes are too
expensive for dense sampling. We study whether a low-cost sensor network of capacitive sensors can replace them. Forty
sensor nodes with LoRa radios were buried in two orchards for a full growing season. A two-step calibration, first in
the laboratory and then in the field, reduced the root mean square error of volumetric water content from 0.061 to
0.024. Temperature drift was the largest remaining source of error and could be removed with a linear correction. The
nodes ran for 214 days on two alkaline cells, and packet loss stayed below three percent. When the calibrated network
controlled the drip irrigation, water use fell by 18 percent without any loss of yield."""

KEYWORDS: Final = (
    "soil moisture; low-cost sensor networks; capacitive sensors; sensor calibration; irrigation scheduling; "
    "temperature drift; energy consumption"
)

INTRODUCTION: Final = (
    """Agriculture takes about seventy percent of the fresh water that people use, and much of it is applied at the
    wrong time. Irrigation scheduling, the decision when and how much to water, depends on knowing the soil moisture in
    the root zone. Soil moisture varies over a few metres, because texture, slope and roots differ, so that a single
    probe says little about a whole field [1]. Dense soil moisture sensing would help, but a commercial time domain
    probe costs several hundred euros, and a farmer who needs forty of them will not buy any.""",
    """Capacitive sensors made for hobbyists cost less than five euros. They respond to the dielectric permittivity of
    the soil, and therefore to its volumetric water content, but their readings also depend on temperature, on salinity
    and on the individual device. Earlier studies disagree about their value: some report errors that are close to
    those of commercial probes [2], others advise against any use without soil-specific calibration [3].""",
    """This paper makes three contributions. We describe a low-cost sensor network for soil moisture that survives a
    season without maintenance. We propose a two-step sensor calibration that separates the differences between devices
    from the differences between soils. Finally, we report a field experiment in which the sensor network controlled
    drip irrigation, and we compare its water use with that of a conventional schedule.""",
)

RELATED: Final = (
    """Wireless sensor networks for agriculture have been studied for two decades. The first networks used
    short-range radios with mesh routing, which made them expensive to run: most of the energy consumption was caused by
    nodes that forwarded packets for others [4]. Long-range radios such as LoRa let each sensor node talk to a gateway
    directly, at the price of a low data rate. For soil moisture, which changes slowly, a low data rate is enough.""",
    """Sensor calibration has been treated mostly in the laboratory. Gravimetric sampling, in which soil is weighed
    before and after drying, gives the reference. Bergdahl and others have shown that the calibration of each device
    against fluids of known permittivity reduces the differences between devices [2]. Temperature drift has received
    less attention, although the upper soil layer of an orchard can warm by fifteen degrees in one day.""",
)

NETWORK: Final = (
    """Each sensor node consists of three capacitive sensors, a temperature probe, a microcontroller and a LoRa radio in
    a sealed tube. The sensors are buried at depths of 10, 30 and 60 centimetres. A sensor node wakes up every twenty
    minutes, takes the median of nine readings, and sends one packet of eighteen bytes. The duty cycle of the radio is
    below 0.1 percent. The material for a node costs 31 euros, of which the battery holder and the tube make up nearly
    half.""",
    """We installed forty sensor nodes in two orchards. The first orchard stands on sandy loam, the second on silty
    clay. One gateway on the roof of a barn received all packets of an orchard; the longest distance was 1.4 kilometres.
    Five reference sites in each orchard carried a commercial time domain probe beside the sensor node, and gravimetric
    sampling was repeated there every second week.""",
)

CALIBRATION_FIRST: Final = (
    """In the first step, every sensor is read in air, in dry glass beads and in water. A straight line through the
    three readings maps the raw count to an apparent permittivity, so that all devices agree. This step takes four
    minutes for each sensor and needs no soil at all.""",
    """In the second step, one curve for each soil maps apparent permittivity to volumetric water content. The curve is
    a polynomial of second degree that is fitted to gravimetric samples. Because the devices already agree, samples from
    a few reference sites are enough for the whole sensor network. The laboratory step removes what is peculiar to a
    device, and the field step removes what is peculiar to a soil.""",
)

DRIFT: Final = (
    """Even after the two-step calibration, readings rose during warm afternoons and fell at night, while the reference
    probes did not move. This temperature drift was nearly linear in soil temperature. We estimated its slope for each
    soil from nights without rain, and subtracted it. The correction needs no additional hardware, because each sensor
    node measures the temperature anyway.""",
)

RESULTS: Final = (
    """Table 1 shows the error of volumetric water content against gravimetric sampling. Without calibration, the
    low-cost sensors were useless for irrigation scheduling: the error of 0.061 is larger than the difference between
    field capacity and the refill point of the sandy loam. The laboratory step alone halved the spread between devices,
    but left a bias in the clay. The complete two-step calibration reached 0.029, and the correction of temperature
    drift brought the error down to 0.024.""",
    """The sensor network was reliable. Packet loss was 2.7 percent over the season, and data gaps longer than two hours
    occurred on six days only, five of them during a thunderstorm that cut the power of a gateway. Energy consumption
    was dominated by the sensors rather than by the radio: a reading took 210 milliseconds at 5 milliamperes. After 214
    days, all but one of the sensor nodes were still running on their first batteries.""",
    """Figure 1 shows soil moisture at a depth of 30 centimetres in two neighbouring blocks. The conventional schedule
    watered on fixed days, often shortly after rain. The block that was controlled by the sensor network received water
    only when the soil moisture of the root zone fell below the refill point. Water use fell by 18 percent, from 412 to
    338 millimetres, and the yield did not differ significantly. The farmer reported that he checked the network daily
    in the first month, and hardly ever after that.""",
)

CONCLUSION: Final = (
    """Low-cost sensor networks can measure soil moisture well enough for irrigation scheduling, provided that the
    capacitive sensors are calibrated in two steps and that temperature drift is corrected. The effort is small: four
    minutes in the laboratory for each sensor, and gravimetric sampling at a few reference sites. The energy consumption
    of the sensor nodes allows a full growing season on one set of batteries. In future work we want to learn the
    calibration curve of a new soil from the drainage after heavy rain, so that precision irrigation becomes possible
    without any gravimetric sampling.""",
)

ACKNOWLEDGEMENTS: Final = (
    """We thank the owners of both orchards for their patience, and the workshop of the University of Norrvik for
    building the sealed tubes.""",
)

TABLE_CAPTION: Final = "Table 1: Error of volumetric water content after each step of the calibration."
TABLE: Final = (
    ("Step", "Sandy loam", "Silty clay", "Both"),
    ("None", "0.055", "0.067", "0.061"),
    ("Laboratory", "0.033", "0.048", "0.041"),
    ("Two-step", "0.026", "0.032", "0.029"),
    ("Two-step, drift", "0.022", "0.026", "0.024"),
)
FIGURE_CAPTION: Final = (
    "Figure 1: Soil moisture at a depth of 30 centimetres under a conventional schedule (dashed) and under control of "
    "the sensor network (solid)."
)
SCHEDULED: Final = (0.24, 0.21, 0.30, 0.27, 0.24, 0.31, 0.28, 0.33, 0.29, 0.25, 0.31, 0.27, 0.24)
CONTROLLED: Final = (0.24, 0.22, 0.20, 0.25, 0.23, 0.21, 0.25, 0.27, 0.25, 0.22, 0.20, 0.25, 0.23)

REFERENCES: Final = (
    """[1] A. Brandvold and T. Nkemelu. Spatial variability of soil moisture in orchards. Journal of Invented Hydrology,
    12(3):201–219, 2017.""",
    """[2] H. Bergdahl, P. Strand and L. Quiroga. Calibration of capacitive sensors with reference fluids. Sensing of
    Soils, 8(1):14–29, 2018.""",
    """[3] R. Delacroix. Hobby sensors in the field: a warning. Notes on Agricultural Measurement, 4:77–83, 2019.""",
    """[4] S. Imada and K. Voss. Energy consumption of wireless sensor networks in agriculture. In Proceedings of the
    Workshop on Field Networks, pages 45–52, 2012.""",
)
